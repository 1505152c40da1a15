#include "wall-control/playlist/playlist_model.h"

#include "wall-control/models/library_model.h"
#include "wall-control/ui/commands.h"

#include <QMimeData>
#include <QUndoCommand>

#include <algorithm>

namespace lw {

class PlaylistModel::Edit : public QUndoCommand {
public:
  struct Side {
    QList<DraftEntry> entries;
    bool repeat = false;
  };
  Edit(PlaylistModel& model, const QString& words, int current, Side before)
      : QUndoCommand(words),
        model_(model),
        current_(current),
        before_(std::move(before)),
        after_{model.draft_.entries(), model.draft_.repeat()} {}
  void undo() override { model_.restore(before_.entries, before_.repeat, current_); }
  // It is made before it is remembered.
  void redo() override {
    if (std::exchange(made_, true)) model_.restore(after_.entries, after_.repeat, current_);
  }

private:
  PlaylistModel& model_;
  int current_;
  Side before_, after_;
  bool made_ = false;
};

void PlaylistModel::restore(const QList<DraftEntry>& entries, bool repeat, int current) {
  beginResetModel();
  draft_.replace(entries, repeat);
  endResetModel();
  emit changed(current);
}

void PlaylistModel::edit(const QString& words, int current, const std::function<void(PlaylistDraft&)>& change) {
  Edit::Side before{draft_.entries(), draft_.repeat()};
  beginResetModel();
  change(draft_);
  endResetModel();
  if (before.entries != draft_.entries() || before.repeat != draft_.repeat())
    commands_.remember(new Edit(*this, words, current, std::move(before)));
  emit changed(current);
}

void PlaylistModel::insert(int at, const QStringList& names) {
  edit(tr("Added to the playlist"), at, [&](PlaylistDraft& draft) {
    for (qsizetype i = 0; i < names.size(); ++i)
      if (draft.entries().size() < PlaylistDraft::entries_max) draft.insert(at + i, names[i]);
  });
}

void PlaylistModel::remove(int row) {
  if (row < 0 || row >= rowCount()) return;
  edit(tr("Removed from the playlist"), row, [&](PlaylistDraft& draft) { draft.remove(row); });
}

void PlaylistModel::move(int from, int to) {
  if (from < 0 || to < 0 || from >= rowCount() || to >= rowCount() || from == to) return;
  moveRows({}, from, 1, {}, to > from ? to + 1 : to);
}

// The row it is inserted before still counts the entry that moves.
bool PlaylistModel::moveRows(const QModelIndex&, int from, int count, const QModelIndex&, int before) {
  if (count != 1 || from < 0 || from >= rowCount() || before < 0 || before > rowCount()) return false;
  if (before == from || before == from + 1) return false;
  Edit::Side side{draft_.entries(), draft_.repeat()};
  const int to = before > from ? before - 1 : before;
  beginMoveRows({}, from, from, {}, before);
  draft_.move(from, to);
  endMoveRows();
  commands_.remember(new Edit(*this, tr("Moved in the playlist"), to, std::move(side)));
  emit changed(to);
  return true;
}

void PlaylistModel::set_duration(int row, std::optional<int> loops, std::optional<double> seconds) {
  edit(tr("Changed how long the entry plays"), row,
       [&](PlaylistDraft& draft) { draft.set_duration(row, loops, seconds); });
}

void PlaylistModel::set_fade(int row, std::optional<int> fade_ms) {
  edit(tr("Changed the transition"), row, [&](PlaylistDraft& draft) { draft.set_fade(row, fade_ms); });
}

void PlaylistModel::set_repeat(bool repeat) {
  edit(tr("Changed whether the playlist repeats"), -1, [&](PlaylistDraft& draft) { draft.set_repeat(repeat); });
}

QString PlaylistModel::open(const QByteArray& file) {
  QString problem;
  edit(tr("Opened a playlist"), 0, [&](PlaylistDraft& draft) { problem = draft.open(file); });
  return problem;
}

void PlaylistModel::revert() {
  edit(tr("Reverted to the live playlist"), 0, [](PlaylistDraft& draft) { draft.take_live(); });
}

void PlaylistModel::set_live(const StateMessage& state) {
  // The frame changes all the time.
  const auto of_list = [](const StateMessage& s) { return std::tie(s.entry, s.coming, s.playlist, s.repeat); };
  if (taken_ && of_list(*taken_) == of_list(state)) return;
  taken_ = state;
  const bool untouched = draft_.entries().isEmpty() || !draft_.edited();
  beginResetModel();
  draft_.set_live(state);
  // Another operator's playlist is adopted if nothing was edited here.
  if (untouched && draft_.edited()) draft_.take_live();
  endResetModel();
  emit changed(-1);
}

void PlaylistModel::applied(bool from_start, const PlaylistReply& answer) {
  beginResetModel();
  draft_.applied(from_start, answer);
  endResetModel();
  emit changed(-1);
}

QVariant PlaylistModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto& entry = draft_.entries()[index.row()];
  if (role == Qt::DisplayRole) return entry.name;
  if ((role == Qt::AccessibleTextRole || role == Qt::ToolTipRole) && describe_) return describe_(index.row());
  return {};
}

Qt::ItemFlags PlaylistModel::flags(const QModelIndex& index) const {
  // A drop goes between entries, not onto one.
  return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled : Qt::ItemIsDropEnabled;
}

QStringList PlaylistModel::mimeTypes() const {
  return {visualizations_mime, "application/x-qabstractitemmodeldatalist"};
}

bool PlaylistModel::canDropMimeData(const QMimeData* data, Qt::DropAction, int, int, const QModelIndex&) const {
  return data->hasFormat(visualizations_mime) || data->hasFormat("application/x-qabstractitemmodeldatalist");
}

// Entries of this list that are dragged arrive in moveRows().
bool PlaylistModel::dropMimeData(const QMimeData* data, Qt::DropAction, int row, int, const QModelIndex& parent) {
  if (!data->hasFormat(visualizations_mime)) return false;
  const auto names = QString::fromUtf8(data->data(visualizations_mime)).split('\n', Qt::SkipEmptyParts);
  if (names.isEmpty()) return false;
  insert(parent.isValid() ? parent.row() : row < 0 ? rowCount() : row, names);
  return true;
}

}  // namespace lw
