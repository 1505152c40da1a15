#include "wall-control/wallview/canvas_bar.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QActionGroup>
#include <QBoxLayout>
#include <QFontMetrics>
#include <QFrame>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include <cmath>

namespace lw {
namespace {

constexpr int bar_height = 36, bar_icon = 16;
constexpr int title_distance = 10;
constexpr int choices_named_from = 680;  // pixels of body text

QFont title_font() { return type::sized(14, true); }
QFont detail_font() { return type::sized(12); }

QFrame* bar_separator() {
  auto* made = new QFrame;
  made->setFrameShape(QFrame::VLine);
  made->setFrameShadow(QFrame::Plain);
  made->setForegroundRole(QPalette::Mid);
  made->setFixedHeight(type::scaled(18));
  return made;
}

}  // namespace

BarTitle::BarTitle(QWidget* parent) : QWidget(parent) {
  setObjectName("canvas-title");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void BarTitle::set(const QString& title, const QStringList& parts) {
  if (title == title_ && parts == parts_) return;
  title_ = title;
  parts_ = parts;
  setAccessibleName(title);
  setAccessibleDescription(parts.join(", "));
  follow_width();
  updateGeometry();
}

QString BarTitle::shown_title() const { return QFontMetrics(title_font()).elidedText(title_, Qt::ElideRight, width()); }

QString BarTitle::shown_detail() const {
  const int room = width() - QFontMetrics(title_font()).horizontalAdvance(title_) - title_distance;
  for (auto count = parts_.size(); count > 0; --count) {
    const auto text = parts_.mid(0, count).join(QString::fromUtf8(" \u00b7 "));
    if (QFontMetrics(detail_font()).horizontalAdvance(text) <= room) return text;
  }
  return {};
}

void BarTitle::follow_width() {
  const auto all = parts_.join(QString::fromUtf8(" \u00b7 "));
  const bool cut = shown_title() != title_ || shown_detail() != all;
  setToolTip(cut ? QString("%1\n%2").arg(title_, all).trimmed() : QString());
  update();
}

void BarTitle::resizeEvent(QResizeEvent*) { follow_width(); }

QSize BarTitle::sizeHint() const {
  const QFontMetrics metrics(title_font());
  return {metrics.horizontalAdvance(title_) + title_distance, metrics.height()};
}

QSize BarTitle::minimumSizeHint() const { return {type::scaled(60), sizeHint().height()}; }

void BarTitle::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(title_font());
  painter.setPen(colors::text);
  const auto title = shown_title();
  const QFontMetrics metrics(title_font());
  const int baseline = (height() + metrics.ascent() - metrics.descent()) / 2;
  painter.drawText(0, baseline, title);
  painter.setFont(detail_font());
  painter.setPen(colors::text2);
  painter.drawText(metrics.horizontalAdvance(title) + title_distance, baseline, shown_detail());
}

CanvasBar::CanvasBar(Commands& commands, const Tools& tools, QWidget* parent) : QWidget(parent) {
  setObjectName("canvas-bar");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 2, 8, 3);
  layout->setSpacing(4);
  title_ = new BarTitle;
  layout->addWidget(title_, 1);
  layout->addWidget(make_overlay());
  layout->addWidget(make_grouping());
  const auto add = [&](QAction* action) {
    auto* made = commands.button(action);
    made->setIconSize({bar_icon, bar_icon});
    layout->addWidget(made);
    return made;
  };
  add(tools.identify);
  patterns_ = new QToolButton;
  patterns_->setObjectName("patterns");
  patterns_->setIcon(icon(Icon::test_pattern));
  patterns_->setIconSize({bar_icon, bar_icon});
  patterns_->setText(tr("Test pattern"));
  patterns_->setAccessibleName(tr("Test pattern on all tiles"));
  patterns_->setToolTip(tr("Show a test pattern on all tiles instead of the stream"));
  patterns_->setPopupMode(QToolButton::InstantPopup);
  patterns_->setMenu(tools.patterns);
  patterns_->setFocusPolicy(Qt::TabFocus);
  patterns_->setMinimumHeight(28);
  patterns_->setStyleSheet("QToolButton::menu-indicator { image: none; }");
  if (patterns_->icon().isNull()) patterns_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  layout->addWidget(patterns_);
  add(tools.mark);
  add(tools.save);
  layout->addWidget(bar_separator());
  add(tools.zoom_out);
  fit_ = add(tools.fit);
  fit_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  fit_->setMinimumWidth(QFontMetrics(fit_->font()).horizontalAdvance("1600 %") + 12);
  add(tools.zoom_in);
  add(tools.full_screen);
  setMinimumHeight(type::scaled(bar_height));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QToolButton* CanvasBar::make_choice(const QString& name, Icon meaning, const QString& tip) {
  auto* made = new QToolButton;
  made->setObjectName(name);
  made->setIcon(icon(meaning));
  made->setIconSize({bar_icon, bar_icon});
  made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  made->setPopupMode(QToolButton::InstantPopup);
  made->setFocusPolicy(Qt::TabFocus);
  made->setMinimumHeight(28);
  made->setToolTip(tip);
  made->setMenu(new QMenu(made));
  return made;
}

QToolButton* CanvasBar::make_overlay() {
  overlay_ =
      make_choice("overlay", Icon::overlay, tr("What is drawn over the wall here; the wall itself does not show it"));
  auto* one_of = new QActionGroup(overlay_);
  for (const bool state : {true, false}) {
    auto* action = one_of->addAction(overlay_->menu()->addAction(state ? tr("State of the tiles") : tr("Nothing")));
    action->setCheckable(true);
    action->setChecked(state);
    connect(action, &QAction::triggered, this, [this, state] {
      overlay_->setText(state ? tr("Overlay: state") : tr("Overlay: none"));
      overlay_->setAccessibleName(overlay_->text());
      emit overlay_chosen(state);
    });
  }
  overlay_->setText(tr("Overlay: state"));
  overlay_->setAccessibleName(overlay_->text());
  return overlay_;
}

QToolButton* CanvasBar::make_grouping() {
  grouping_ = make_choice("grouping", Icon::columns, tr("How the tiles are arranged here; the wall does not change"));
  auto* one_of = new QActionGroup(grouping_);
  for (const bool by_node : {false, true}) {
    auto* action = one_of->addAction(grouping_->menu()->addAction(by_node ? tr("By node") : tr("As on the wall")));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, by_node] { emit grouping_chosen(by_node); });
  }
  set_grouped(false);
  return grouping_;
}

void CanvasBar::set_grouped(bool by_node) {
  grouping_->menu()->actions()[by_node ? 1 : 0]->setChecked(true);
  grouping_->setText(by_node ? tr("Group: node") : tr("Group: none"));
  grouping_->setAccessibleName(grouping_->text());
}

void CanvasBar::set_zoom(double zoom) { fit_->setText(zoom > 1 ? tr("%1 %").arg(std::lround(zoom * 100)) : tr("Fit")); }

void CanvasBar::resizeEvent(QResizeEvent*) {
  for (auto* choice : {overlay_, grouping_}) {
    const bool named = width() >= type::scaled(choices_named_from) || choice->icon().isNull();
    choice->setToolButtonStyle(named ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  }
}

void CanvasBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(colors::line);
  painter.drawLine(0, height() - 1, width(), height() - 1);
}

}  // namespace lw
