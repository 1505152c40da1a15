#include "wall-control/app/menu_row.h"

#include "wall-control/app/action_search.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QMenuBar>
#include <QToolButton>

namespace lw {

MenuRow::MenuRow(QWidget* parent) : QWidget(parent), bar_(new QMenuBar), search_(new ActionSearch) {
  setObjectName("menu-row");
  const std::initializer_list<std::pair<Menu, QString>> titles{
      {Menu::file, tr("&File")},         {Menu::edit, tr("&Edit")}, {Menu::view, tr("&View")},
      {Menu::playback, tr("&Playback")}, {Menu::wall, tr("&Wall")}, {Menu::analysis, tr("&Analysis")},
      {Menu::window, tr("Wi&ndow")},     {Menu::help, tr("&Help")}};
  for (const auto& [menu, title] : titles) {
    auto* made = bar_->addMenu(title);
    made->setToolTipsVisible(true);
    menus_[static_cast<std::size_t>(menu)] = made;
  }
  bar_->setNativeMenuBar(false);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(4, 0, 12, 0);
  layout->setSpacing(8);
  workspaces_ = new QHBoxLayout;
  workspaces_->setSpacing(2);
  right_ = new QHBoxLayout;
  right_->setSpacing(4);
  layout->addWidget(bar_);
  layout->addStretch(1);
  layout->addLayout(workspaces_);
  layout->addStretch(1);
  layout->addWidget(search_);
  layout->addLayout(right_);
  setFixedHeight(type::scaled(32));
}

void MenuRow::fill(const Commands& commands) {
  for (auto* action : commands.all())
    if (const auto menu = commands.menu_of(action); menu != Menu::none) this->menu(menu)->addAction(action);
  search_->set_actions(commands.all());
}

void MenuRow::set_workspaces(const QList<QAction*>& workspaces) {
  for (auto* action : workspaces) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    workspaces_->addWidget(button);
    buttons_ << button;
  }
}

// A narrow window shows the workspaces as icons, so that all menus have their place.
void MenuRow::fit() {
  const bool narrow = width() < type::scaled(1200);
  search_->setFixedWidth(type::scaled(narrow ? 130 : 180));
  for (auto* button : buttons_)
    button->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

void MenuRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void MenuRow::add(QWidget* widget) { right_->addWidget(widget); }

}  // namespace lw
