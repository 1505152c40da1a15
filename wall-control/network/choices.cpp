#include "wall-control/network/choices.h"

#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_shape.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QPainter>

#include <array>

namespace lw {
namespace {

constexpr std::array spans_s{10, 30, 60, 300, 600, 1200, 3600};
constexpr std::array button_spans_s{60, 300, 1200, 3600};

QPixmap point(const QColor& color) {
  const int size = type::scaled(8);
  QPixmap made(size, size);
  made.fill(Qt::transparent);
  QPainter painter(&made);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawEllipse(QRectF(1, 1, size - 2, size - 2));
  return made;
}

}  // namespace

PartChoice::PartChoice(NetworkModels& models, QWidget* parent) : QComboBox(parent), models_(models) {
  setObjectName("part");
  setAccessibleName(tr("Part of the wall shown"));
  setToolTip(tr("The whole wall, a node or a tile (Backspace in a chart: one level up)"));
  setSizeAdjustPolicy(QComboBox::AdjustToContents);
  setMaxVisibleItems(20);
  connect(this, &QComboBox::activated, this, [this](int index) {
    const auto place = itemData(index).toList();
    Part part;
    if (place.size() == 1) part.node = place[0].toString();
    if (place.size() >= 2) part = {place[0].toInt(), place[1].toInt(), {}};
    if (place.size() == 3) part.flow = place[2].toInt();
    // Several tiles are listed only while they are selected.
    if (place.size() <= 3) models_.focus().show(part);
  });
  connect(&models, &NetworkModels::wall_changed, this, &PartChoice::list);
  connect(&models.focus(), &Focus::changed, this, &PartChoice::show_part);
  list();
}

void PartChoice::list() {
  clear();
  addItem(name_of(Part{}), QVariantList{});
  for (const auto& node : models_.history().nodes()) addItem(name_of({{}, {}, {}, node}), QVariantList{node});
  for (const auto& tile : models_.history().tiles())
    addItem(name_of({tile.column, tile.row, {}}), QVariantList{tile.column, tile.row});
  show_part();
}

void PartChoice::show_part() {
  const auto& part = models_.focus().part();
  QVariantList place;
  if (!part.node.isEmpty()) place = {part.node};
  if (part.column && part.row) place = {*part.column, *part.row};
  if (part.flow) place << *part.flow;
  for (const auto& [column, row] : part.others) place << column << row;
  int found = -1, passing = -1;
  for (int i = 0; i < count(); ++i) {
    if (itemData(i).toList() == place) found = i;
    if (itemData(i).toList().size() >= 3) passing = i;
  }
  if (passing >= 0 && passing != found) {
    removeItem(passing);
    found -= found > passing ? 1 : 0;
  }
  // Flows, and sets of tiles, are too many to list.
  if (found < 0) {
    addItem(name_of(part), place);
    found = count() - 1;
  }
  setCurrentIndex(found);
}

SpanChoice::SpanChoice(NetworkModels& models, QWidget* parent) : QComboBox(parent), models_(models) {
  setObjectName("span");
  setAccessibleName(tr("Time shown"));
  setSizeAdjustPolicy(QComboBox::AdjustToContents);
  for (const int seconds : spans_s) addItem(span_words(seconds), seconds);
  connect(this, &QComboBox::activated, this,
          [this](int index) { models_.window().set_seconds(itemData(index).toInt()); });
  connect(&models.window(), &TimeWindow::changed, this, &SpanChoice::show_span);
  show_span();
}

void SpanChoice::show_span() {
  const int seconds = models_.window().seconds();
  if (count() > static_cast<int>(spans_s.size()) && itemData(0).toInt() != seconds) removeItem(0);
  if (findData(seconds) < 0) insertItem(0, span_words(seconds), seconds);
  setCurrentIndex(findData(seconds));
}

SpanButtons::SpanButtons(NetworkModels& models, QWidget* parent)
    : QWidget(parent), models_(models), group_(new QButtonGroup(this)), zoomed_(new QPushButton) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  const auto add = [&](QPushButton* button, int seconds) {
    button->setCheckable(true);
    button->setAccessibleName(tr("Show %1").arg(span_words(seconds)));
    group_->addButton(button, seconds);
    layout->addWidget(button);
  };
  for (const int seconds : button_spans_s) add(new QPushButton(span_words(seconds)), seconds);
  add(zoomed_, 0);
  connect(group_, &QButtonGroup::idClicked, this, [this](int seconds) {
    if (seconds > 0) models_.window().set_seconds(seconds);
  });
  connect(&models.window(), &TimeWindow::changed, this, &SpanButtons::show_span);
  show_span();
}

void SpanButtons::show_span() {
  const int seconds = models_.window().seconds();
  auto* button = group_->button(seconds);
  zoomed_->setVisible(button == nullptr);
  if (button == nullptr) {
    zoomed_->setText(span_words(seconds));
    zoomed_->setAccessibleName(tr("Zoomed to %1").arg(span_words(seconds)));
    button = zoomed_;
  }
  button->setChecked(true);
}

QString SpanButtons::chosen() const { return group_->checkedButton()->text(); }

QuantityChoice::QuantityChoice(NetworkModels& models, QWidget* parent) : QComboBox(parent), models_(models) {
  setObjectName("quantity");
  setAccessibleName(tr("Quantity shown"));
  setMaxVisibleItems(30);
  for (const auto& quantity : quantities()) {
    addItem(name_of(quantity), static_cast<int>(quantity.quantity));
    setItemData(count() - 1, definition_of(quantity), Qt::ToolTipRole);
  }
  const auto follow = [this] {
    setCurrentIndex(findData(static_cast<int>(models_.quantity())));
    setToolTip(definition_of(info(models_.quantity())));
  };
  connect(this, &QComboBox::activated, this,
          [this](int index) { models_.set_quantity(static_cast<Quantity>(itemData(index).toInt())); });
  connect(&models, &NetworkModels::choice_changed, this, follow);
  follow();
}

LiveButton::LiveButton(NetworkModels& models, QWidget* parent) : QPushButton(parent), models_(models) {
  setObjectName("live");
  connect(this, &QPushButton::clicked, this, [this] {
    const bool live = models_.window().live();
    models_.window().hold(live);
    if (!live)
      while (models_.window().marked() || models_.window().moment()) models_.window().back();
  });
  connect(&models.window(), &TimeWindow::changed, this, &LiveButton::show_state);
  show_state();
}

void LiveButton::show_state() {
  const bool live = models_.window().live();
  setText(live ? tr("Live") : tr("Held"));
  setIcon(point(live ? colors::ok : colors::off));
  setToolTip(live ? tr("The charts follow the newest samples. Click to pause them (P)")
                  : tr("The charts are paused; nothing is lost. Click to follow the newest samples (P)"));
  setAccessibleName(live ? tr("Live, pause charts") : tr("Held, show live charts"));
}

void LiveButton::changeEvent(QEvent* event) {
  QPushButton::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) show_state();
}

MarkedButton::MarkedButton(NetworkModels& models, QWidget* parent) : QPushButton(parent), models_(models) {
  setObjectName("marked");
  setToolTip(
      tr("The marked time limits tables, distribution and events. Click to remove the mark (Escape in a chart)"));
  connect(this, &QPushButton::clicked, &models.window(), &TimeWindow::unmark);
  connect(&models.window(), &TimeWindow::changed, this, &MarkedButton::show_mark);
  show_mark();
}

void MarkedButton::show_mark() {
  const auto times = models_.marked_times();
  if (!times) return hide();
  if (parentWidget() != nullptr) show();  // otherwise it would be a window
  setIcon(lw::icon(Icon::close, colors::text));
  setLayoutDirection(Qt::RightToLeft);  // the cross behind the words
  setText(tr("%1 to %2").arg(clock_words(times->first), clock_words(times->second)));
  setAccessibleName(tr("Marked: %1. Remove the mark").arg(text()));
}

void MarkedButton::changeEvent(QEvent* event) {
  QPushButton::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) show_mark();
}

}  // namespace lw
