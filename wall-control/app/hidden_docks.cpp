#include "wall-control/app/hidden_docks.h"

#include "wall-control/app/dock.h"
#include "wall-control/app/workspaces.h"

#include <QCoreApplication>

#include <utility>

namespace lw {
namespace {

struct HiddenDocksTexts {
  Q_DECLARE_TR_FUNCTIONS(HiddenDocks)
};

QString words_about(const QList<Dock*>& docks) {
  QStringList titles;
  for (const auto* dock : docks) titles << dock->windowTitle();
  return HiddenDocksTexts::tr("Hidden: %1").arg(titles.join(", "));
}

}  // namespace

HiddenDocks::HiddenDocks(Workspaces& workspaces, QList<Dock*> docks)
    : QUndoCommand(words_about(docks)),
      workspaces_(workspaces),
      workspace_(workspaces.used()),
      docks_(std::move(docks)) {}

// Where something else fills the window there is nothing to show or hide.
bool HiddenDocks::go_there() {
  if (workspaces_.docks_hidden()) {
    setObsolete(true);
    return false;
  }
  workspaces_.use(workspace_);
  return true;
}

void HiddenDocks::undo() {
  if (!go_there()) return;
  for (auto* dock : docks_) dock->bring_up();
}

void HiddenDocks::redo() {
  if (!std::exchange(hidden_, true) || !go_there()) return;
  for (auto* dock : docks_) dock->dismiss();
}

}  // namespace lw
