#include "wall-control/app/dock.h"

#include "wall-control/app/tool_row.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace lw {
namespace {

// On Wayland a dock that floats cannot be docked again (QTBUG-87332, until Qt 6.5.4).
bool may_float() { return !QGuiApplication::platformName().startsWith("wayland"); }

// A dock takes the height of its header from the hint.
class Header : public QWidget {
public:
  Header() { setObjectName("dock-header"); }
  [[nodiscard]] QSize sizeHint() const override { return {QWidget::sizeHint().width(), type::scaled(32)}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, type::scaled(32)}; }

protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.fillRect(rect(), colors::panel);
    painter.fillRect(0, height() - 1, width(), 1, colors::line);
  }
};

}  // namespace

Dock::Dock(QMainWindow& window, const QString& name, const QString& title, QWidget* content)
    : QDockWidget(title, &window), window_(window) {
  setObjectName(name);
  setWidget(content);
  setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
              (may_float() ? QDockWidget::DockWidgetFloatable : QDockWidget::NoDockWidgetFeatures));
  auto* panel = qobject_cast<Panel*>(content);
  auto* more = make_menu_button();
  const bool own_header = panel != nullptr && panel->take_menu(more);
  setTitleBarWidget(own_header ? new QWidget : make_header(more));
  if (panel == nullptr || own_header) return;
  connect(panel, &Panel::header_changed, this, [this, panel] { show_panel(*panel); });
  show_panel(*panel);
}

QToolButton* Dock::make_menu_button() {
  auto* more = new QToolButton;
  more->setObjectName("dock-menu");
  more->setIcon(icon(Icon::down));
  more->setAutoRaise(true);
  more->setPopupMode(QToolButton::InstantPopup);
  more->setAccessibleName(tr("%1: move or hide").arg(windowTitle()));
  more->setToolTip(more->accessibleName());
  fill_menu(*more);
  return more;
}

QWidget* Dock::make_header(QToolButton* more) {
  auto* header = new Header;
  auto* layout = new QHBoxLayout(header);
  layout->setContentsMargins(12, 0, 4, 0);
  layout->setSpacing(8);
  auto* title = new QLabel(windowTitle());
  title->setProperty("role", "panel-title");
  note_ = new QLabel;
  note_->setProperty("role", "context");
  tools_ = new ToolRow;
  layout->addWidget(title);
  layout->addWidget(note_);
  layout->addStretch(1);
  layout->addWidget(tools_);
  layout->addWidget(more);
  return header;
}

void Dock::fill_menu(QToolButton& more) {
  auto* menu = new QMenu(&more);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { offer_tools_without_room(*menu); });
  for (const auto& [text, area] : {std::pair{tr("Move to the left"), Qt::LeftDockWidgetArea},
                                   std::pair{tr("Move to the right"), Qt::RightDockWidgetArea},
                                   std::pair{tr("Move to the bottom"), Qt::BottomDockWidgetArea}})
    connect(menu->addAction(text), &QAction::triggered, this, [this, area = area] { move_to(area); });
  menu->addSeparator();
  connect(menu->addAction(tr("Hide")), &QAction::triggered, this, [this] {
    dismiss();
    emit dismissed();
  });
  connect(toggleViewAction(), &QAction::triggered, this, [this](bool shown) {
    dismissed_ = !shown;
    if (!shown) emit dismissed();
  });
  more.setMenu(menu);
}

void Dock::dismiss() {
  dismissed_ = true;
  hide();
}

// Before the menu's other actions, for as long as it is shown.
void Dock::offer_tools_without_room(QMenu& menu) {
  const auto tools = tools_ == nullptr ? QList<QAction*>() : tools_->without_room();
  auto* rest = menu.actions().front();
  menu.insertActions(rest, tools);
  auto* line = tools.isEmpty() ? nullptr : menu.insertSeparator(rest);
  connect(
      &menu, &QMenu::aboutToHide, this,
      [&menu, tools, line] {
        for (auto* tool : tools) menu.removeAction(tool);
        delete line;
      },
      Qt::SingleShotConnection);
}

void Dock::bring_up() {
  dismissed_ = false;
  show();
  raise();
}

void Dock::offer() {
  if (!dismissed_) bring_up();
}

void Dock::move_to(Qt::DockWidgetArea area) {
  setFloating(false);
  window_.addDockWidget(area, this);
  show();
}

void Dock::show_panel(const Panel& panel) {
  note_->setText(panel.note());
  tools_->set_actions(panel.tools(), *findChild<QToolButton*>("dock-menu"));
}

}  // namespace lw
