// Draws an entry of the playlist: grip, thumbnail, title, what it does, length; the one on the wall with its progress.
#pragma once

#include "wall-control/models/playlist_draft.h"

#include <QStyledItemDelegate>

#include <optional>

namespace lw {

class LibraryModel;
class PlaylistModel;

// What the wall does with its entry now.
struct EntryProgress {
  enum class Activity : unsigned char { playing, paused, ended };  // ended: its last frame stays, and nothing follows
  Activity activity = Activity::playing;
  std::optional<int> pass;       // from 1; empty if its beginning was not seen
  std::optional<double> played;  // 0 to 1
  bool operator==(const EntryProgress&) const = default;
};

// How long an entry plays; empty if that is not known.
std::optional<double> seconds_of(const DraftEntry& entry, const LibraryModel& library);

class PlaylistDelegate : public QStyledItemDelegate {
  Q_OBJECT

public:
  // Both must outlive this.
  PlaylistDelegate(const PlaylistModel& playlist, const LibraryModel& library, QObject* parent = nullptr)
      : QStyledItemDelegate(parent), playlist_(playlist), library_(library) {}

  void set_progress(const EntryProgress& progress) { progress_ = progress; }
  // "4 passes, fade 2 s", "Playing, pass 2 of 3"
  [[nodiscard]] QString words_of(int row) const;
  [[nodiscard]] QString title_of(const DraftEntry& entry) const;
  // All of a row, for a screen reader and a tooltip.
  [[nodiscard]] QString description_of(int row) const;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
  void paint_mark(QPainter& painter, const QRect& place, EntryState state) const;

  const PlaylistModel& playlist_;
  const LibraryModel& library_;
  EntryProgress progress_;
};

}  // namespace lw
