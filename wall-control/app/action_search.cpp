#include "wall-control/app/action_search.h"

#include "wall-control/ui/icons.h"

#include <QAction>
#include <QCompleter>
#include <QKeyEvent>
#include <QStandardItemModel>

namespace lw {
namespace {

constexpr int shown_max = 12;

}  // namespace

ActionSearch::ActionSearch(QWidget* parent) : QLineEdit(parent) {
  setObjectName("action-search");
  setPlaceholderText(tr("Find an action"));
  setAccessibleName(tr("Find an action"));
  addAction(icon(Icon::search), QLineEdit::LeadingPosition);
  found_ = new QStandardItemModel(this);
  completer_ = new QCompleter(found_, this);
  completer_->setCaseSensitivity(Qt::CaseInsensitive);
  completer_->setFilterMode(Qt::MatchContains);
  completer_->setMaxVisibleItems(shown_max);
  setCompleter(completer_);
  connect(completer_, qOverload<const QModelIndex&>(&QCompleter::activated), this, &ActionSearch::run,
          Qt::QueuedConnection);
}

void ActionSearch::set_actions(const QList<QAction*>& actions) { actions_ = actions; }

// Only what can be done now, and is described in words.
void ActionSearch::focusInEvent(QFocusEvent* event) {
  found_->clear();
  for (auto* action : actions_) {
    const auto words = action->property("description").toString();
    if (!action->isEnabled() || words.isEmpty()) continue;
    const auto key = action->shortcut().toString(QKeySequence::NativeText);
    auto* item = new QStandardItem(action->icon(), key.isEmpty() ? words : tr("%1  (%2)").arg(words, key));
    item->setData(QVariant::fromValue(static_cast<QObject*>(action)), Qt::UserRole);
    item->setEditable(false);
    found_->appendRow(item);
  }
  QLineEdit::focusInEvent(event);
}

void ActionSearch::run(const QModelIndex& chosen) {
  auto* action = qobject_cast<QAction*>(chosen.data(Qt::UserRole).value<QObject*>());
  clear();
  if (parentWidget() != nullptr) window()->setFocus();
  if (action != nullptr) action->trigger();
}

void ActionSearch::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) {
    clear();
    return window()->setFocus();
  }
  if (event->key() == Qt::Key_Return && !text().isEmpty()) {
    completer_->setCompletionPrefix(text());
    return completer_->setCurrentRow(0) ? run(completer_->currentIndex()) : void();
  }
  QLineEdit::keyPressEvent(event);
}

}  // namespace lw
