#include "wall-control/ui/commands.h"

#include "wall-control/ui/call_text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QToolButton>

namespace lw {

Commands::Commands(ControlLink& link, QWidget& window) : link_(link), window_(window) {}

QAction* Commands::add(const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                       const std::function<void()>& run, Icon meaning) {
  auto* action = new QAction(icon(meaning), text, this);
  action->setShortcuts(keys);
  action->setToolTip(keys.isEmpty() ? tip : tr("%1 (%2)").arg(tip, keys.first().toString(QKeySequence::NativeText)));
  action->setProperty("description", tip);
  connect(action, &QAction::triggered, this, [run] { run(); });
  runs_[action] = run;
  window_.addAction(action);
  all_ << action;
  menus_[action] = menu_;
  if (!keys.isEmpty()) keyed_ << action;
  return action;
}

void Commands::adopt(QAction* action) {
  all_ << action;
  menus_[action] = menu_;
}

QToolButton* Commands::button(QAction* action) {
  auto* made = new QToolButton;
  made->setDefaultAction(action);
  made->setToolButtonStyle(action->icon().isNull() ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
  made->setFocusPolicy(Qt::TabFocus);
  made->setMinimumHeight(28);
  offer_copies(made, [this, action] {
    // A checkable action requests the state that it shows after it was pressed.
    const QSignalBlocker quiet(action);
    if (action->isCheckable()) action->toggle();
    runs_[action]();
    if (action->isCheckable()) action->toggle();
  });
  return made;
}

void Commands::remember(QUndoCommand* edit) {
  const auto words = edit->text();
  undo_.push(edit);
  emit remembered(words);
}

// An obsolete edit leaves the stack when it is its turn.
void Commands::undo() {
  for (int count = undo_.count(); undo_.canUndo(); count = undo_.count()) {
    undo_.undo();
    if (undo_.count() == count) return;
  }
}

void Commands::redo() {
  for (int count = undo_.count(); undo_.canRedo(); count = undo_.count()) {
    undo_.redo();
    if (undo_.count() == count) return;
  }
}

void Commands::offer_copies(QWidget* control, const std::function<void()>& run) {
  auto* menu = new QMenu(control);
  menu->setObjectName("copies");
  const auto offer = [this, menu, run](const QString& text, auto to_text) {
    connect(menu->addAction(text), &QAction::triggered, this, [this, run, to_text] {
      const auto calls = link_.calls_of(run);
      if (calls.empty()) return;
      QGuiApplication::clipboard()->setText(to_text(calls));
      emit copied(to_text(calls));
    });
  };
  control->setContextMenuPolicy(Qt::CustomContextMenu);
  connect(control, &QWidget::customContextMenuRequested, menu,
          [control, menu](const QPoint& place) { menu->popup(control->mapToGlobal(place)); });
  offer(tr("Copy as command line"), [this](const auto& calls) { return as_command_line(link_.address(), calls); });
  offer(tr("Copy as JSON-RPC"), [](const auto& calls) { return as_json_rpc(calls); });
}

}  // namespace lw
