// Docks that the operator hid together, as an edit that can be undone. They belong to the workspace in which that
// happened, and undo and redo go there, so that their effect is seen.
#pragma once

#include <QList>
#include <QUndoCommand>

namespace lw {

class Dock;
class Workspaces;

class HiddenDocks : public QUndoCommand {
public:
  // They are hidden already. All must outlive this.
  HiddenDocks(Workspaces& workspaces, QList<Dock*> docks);

  void undo() override;
  void redo() override;

private:
  bool go_there();

  Workspaces& workspaces_;
  int workspace_;
  QList<Dock*> docks_;
  bool hidden_ = false;
};

}  // namespace lw
