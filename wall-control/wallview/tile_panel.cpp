#include "wall-control/wallview/tile_panel.h"

#include "wall-control/ui/heading.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/permit.h"

#include <QAbstractItemView>
#include <QBoxLayout>
#include <QComboBox>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeWidget>

#include <utility>

namespace lw {

TilePanel::TilePanel(ControlLink& link, const FlowHistory& history, const WallStatus& status, const OfferCopies& offer,
                     QWidget* parent)
    : QWidget(parent), link_(link), history_(history), status_(status), figures_shown_([this] { show_figures(); }) {
  title_ = heading({});
  title_->setObjectName("tile-title");
  state_ = new QLabel;
  state_->setObjectName("tile-state");
  state_->setWordWrap(true);
  auto* close = new QToolButton;
  close->setText(QString::fromUtf8("\u2715"));
  close->setAccessibleName(tr("Close the details"));
  close->setToolTip(tr("Close the details (Escape)"));
  connect(close, &QToolButton::clicked, this, &TilePanel::closed);
  auto* line = new QHBoxLayout;
  line->addWidget(title_, 1);
  line->addWidget(close);

  figures_ = new QTreeWidget;
  figures_->setObjectName("tile-figures");
  figures_->setAccessibleName(tr("Figures of the tile, its node and its flows"));
  figures_->setColumnCount(2);
  figures_->setHeaderHidden(true);
  figures_->setRootIsDecorated(false);
  figures_->setIndentation(8);
  figures_->setFrameShape(QFrame::NoFrame);
  figures_->setUniformRowHeights(true);
  figures_->header()->setStretchLastSection(true);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 0, 0, 0);
  layout->addLayout(line);
  layout->addWidget(state_);
  layout->addWidget(make_wishes(offer));
  layout->addWidget(figures_, 1);
  setMinimumWidth(220);
}

QToolButton* TilePanel::make_switch(const QString& text, const QString& tip, const OfferCopies& offer,
                                    const std::function<void(bool on)>& ask) {
  auto* made = new QToolButton;
  made->setText(text);
  made->setToolTip(tip);
  made->setCheckable(true);
  made->setMinimumHeight(28);
  made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(made, &QToolButton::clicked, this, ask);
  offer(made, [made, ask] { ask(!made->isChecked()); });
  return made;
}

QWidget* TilePanel::make_wishes(const OfferCopies& offer) {
  identify_ = make_switch(tr("Identify tile"), tr("Show this tile's number, node and size on it"), offer,
                          [this](bool on) { ask_to_identify(link_, place_, on); });
  mark_ = make_switch(tr("Mark its gaps"), tr("Mark on this tile the rows that did not come and show the frame before"),
                      offer, [this](bool on) { ask_to_mark(link_, place_, on); });
  blank_ = make_switch(tr("Blank tile"), tr("Black on this tile instead of the stream"), offer,
                       [this](bool on) { ask_for_pattern(link_, place_, on ? "black" : "none"); });
  pattern_ = new QComboBox;
  pattern_->setAccessibleName(tr("Test pattern of this tile"));
  pattern_->setToolTip(tr("What this tile shows instead of the stream"));
  for (const auto& name : pattern_keys()) pattern_->addItem(pattern_text(name), name);
  const auto ask = [this] { ask_for_pattern(link_, place_, pattern_->currentData().toString()); };
  connect(pattern_, &QComboBox::activated, this, ask);
  offer(pattern_, ask);
  auto* wishes = new QWidget;
  auto* grid = new QGridLayout(wishes);
  grid->setContentsMargins(0, 2, 0, 2);
  grid->addWidget(identify_, 0, 0);
  grid->addWidget(mark_, 0, 1);
  grid->addWidget(blank_, 1, 0);
  grid->addWidget(pattern_, 1, 1);
  return wishes;
}

void TilePanel::show_tile(int column, int row) {
  if (std::exchange(place_, {column, row}) != std::pair{column, row}) figures_shown_.now();
}

void TilePanel::refresh(const QString& state) {
  const auto* tile = history_.tile(place_.first, place_.second);
  if (tile == nullptr) return;
  title_->setText(tr("Tile %1,%2").arg(tile->column).arg(tile->row));
  told_state_ = state;
  follow_overlay();
  figures_shown_.ask();
}

void TilePanel::show_figures() {
  const auto* tile = history_.tile(place_.first, place_.second);
  if (tile == nullptr) return;
  state_->setText(told_state_);
  int group = 0;
  rows_changed_ = false;
  show_group(group++, tr("Tile"), figures_of_tile(history_, status_, *tile));
  if (const auto* node = status_.node(tile->node))
    show_group(group++, tr("Node %1").arg(tile->node), figures_of_node(*node));
  for (const auto& flow : history_.flows())
    if (flow.column == tile->column && flow.row == tile->row)
      show_group(group++, tr("Flow %1").arg(flow.flow), figures_of_flow(flow));
  while (figures_->topLevelItemCount() > group) delete figures_->takeTopLevelItem(group);
  // Names only change with the rows. Measuring them for each changed figure took more time than everything else here.
  if (rows_changed_) figures_->resizeColumnToContents(0);
}

// Updates in place, so that reading and scrolling are not interrupted.
void TilePanel::show_group(int index, const QString& title, const std::vector<ShownFigure>& figures) {
  auto* group = figures_->topLevelItem(index);
  if (group == nullptr) {
    group = new QTreeWidgetItem(figures_);
    QFont bold = figures_->font();
    bold.setBold(true);
    group->setFont(0, bold);
    group->setExpanded(true);
    rows_changed_ = true;
  }
  if (group->childCount() != static_cast<int>(figures.size())) rows_changed_ = true;
  group->setText(0, title);
  while (group->childCount() > static_cast<int>(figures.size())) delete group->takeChild(group->childCount() - 1);
  while (group->childCount() < static_cast<int>(figures.size())) new QTreeWidgetItem(group);
  for (int i = 0; i < group->childCount(); ++i) {
    const auto& figure = figures[static_cast<std::size_t>(i)];
    auto* row = group->child(i);
    row->setText(0, figure.name);
    row->setForeground(0, colors::text3);
    const auto value = figure.value.isEmpty() ? tr("not measured") : figure.value;
    row->setText(1, figure.alarming ? QString::fromUtf8("\u25b2 ") + value : value);
    row->setForeground(1, figure.alarming ? colors::warn : figure.value.isEmpty() ? colors::text3 : colors::text);
    for (const int column : {0, 1}) row->setToolTip(column, figure.definition);
  }
}

// The switches show the state that the server reports.
void TilePanel::follow_overlay() {
  const auto overlay = status_.overlay(place_.first, place_.second);
  identify_->setChecked(overlay.identify);
  mark_->setChecked(overlay.mark);
  blank_->setChecked(overlay.pattern == "black");
  const QSignalBlocker quiet(pattern_);
  if (!pattern_->view()->isVisible()) pattern_->setCurrentIndex(pattern_->findData(overlay.pattern));
  for (QWidget* control : std::initializer_list<QWidget*>{identify_, mark_, blank_, pattern_})
    permit(control, link_, "pattern");
}

void TilePanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  emit closed();
}

}  // namespace lw
