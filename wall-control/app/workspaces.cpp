#include "wall-control/app/workspaces.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMainWindow>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>

namespace lw {
namespace {

// Of the arrangement: a stored one of another version is not used.
constexpr int version = 1;
constexpr QSize usual_size(1600, 1000);
constexpr int window_frame_px = 40;

}  // namespace

Workspaces::Workspaces(QMainWindow& window, QStackedWidget& middle)
    : window_(window), middle_(middle), group_(new QActionGroup(this)) {}

void Workspaces::add(const QString& name, QWidget& content, QAction& action, std::function<void()> arrange) {
  middle_.addWidget(&content);
  action.setCheckable(true);
  group_->addAction(&action);
  workspaces_.append({name, &content, &action, std::move(arrange), {}});
}

void Workspaces::use(int place) {
  if (place == used_ || place < 0 || place >= workspaces_.size()) return;
  if (used_ >= 0 && !docks_hidden_) workspaces_[used_].state = window_.saveState(version);
  used_ = place;
  show_used();
}

void Workspaces::reset() {
  if (used_ < 0) return;
  workspaces_[used_].state.clear();
  show_used();
}

void Workspaces::set_docks_hidden(bool hidden) {
  if (hidden == docks_hidden_ || used_ < 0) return;
  docks_hidden_ = hidden;
  if (!hidden) return show_used();
  // Before the window is shown, its first arrangement has no sizes yet.
  if (window_.isVisible()) workspaces_[used_].state = window_.saveState(version);
  for (auto* dock : window_.findChildren<QDockWidget*>()) dock->hide();
}

void Workspaces::show_used() {
  const auto& workspace = workspaces_[used_];
  workspace.action->setChecked(true);
  middle_.setCurrentWidget(workspace.content);
  if (workspace.state.isEmpty() || !window_.restoreState(workspace.state, version)) workspace.arrange();
  emit changed();
}

void Workspaces::restore() {
  QSettings settings;
  for (auto& workspace : workspaces_) workspace.state = settings.value("workspaces/" + workspace.name).toByteArray();
  if (window_.restoreGeometry(settings.value("window/geometry").toByteArray())) return;
  const auto* screen = QGuiApplication::primaryScreen();
  const auto most = screen->availableGeometry().size() - QSize(0, window_frame_px);
  window_.resize(usual_size.boundedTo(most));
}

void Workspaces::save() {
  if (used_ < 0) return;
  if (!docks_hidden_) workspaces_[used_].state = window_.saveState(version);
  QSettings settings;
  for (const auto& workspace : workspaces_)
    if (!workspace.state.isEmpty()) settings.setValue("workspaces/" + workspace.name, workspace.state);
  settings.setValue("window/geometry", window_.saveGeometry());
}

}  // namespace lw
