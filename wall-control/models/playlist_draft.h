// A playlist as the operator edits it, beside the one that the server plays: each entry is on the wall, queued, played,
// or edited but not live. Values only.
#pragma once

#include "common/messages/play_state.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QList>
#include <QString>

#include <optional>

namespace lw {

struct DraftEntry {
  qint64 id = 0;  // the server's; 0: the server does not have this entry in this form
  QString name;
  // At most one of them; neither: until the next entry is asked for, while the server's loop is on, otherwise once.
  std::optional<int> loops;
  std::optional<double> seconds;
  std::optional<int> fade_ms;  // through black, from the entry before; none: a cut
  bool operator==(const DraftEntry&) const = default;
};

enum class EntryState { on_wall, queued, played, edited };

class PlaylistDraft {
  Q_DECLARE_TR_FUNCTIONS(PlaylistDraft)

public:
  static constexpr int entries_max = playlist_entries_max;

  [[nodiscard]] const QList<DraftEntry>& entries() const { return entries_; }
  [[nodiscard]] bool repeat() const { return repeat_; }
  [[nodiscard]] EntryState state_of(qsizetype index) const;
  // The draft differs from what the server plays.
  [[nodiscard]] bool edited() const;

  // It plays once.
  void insert(qsizetype at, const QString& name);
  void remove(qsizetype index);
  void move(qsizetype from, qsizetype to);
  void set_duration(qsizetype index, std::optional<int> loops, std::optional<double> seconds);
  void set_fade(qsizetype index, std::optional<int> fade_ms);
  void set_repeat(bool repeat) { repeat_ = repeat; }
  // Undoes edits, or does them again.
  void replace(const QList<DraftEntry>& entries, bool repeat);

  // Takes the server's state. Only the entries' states change here.
  void set_live(const StateMessage& state);
  // Replaces the draft by the server's playlist.
  void take_live();
  // The entries that follow the one on the wall, or all of them.
  [[nodiscard]] PlaylistRequest request(bool from_start) const;
  // The server accepted request(from_start), and answered.
  void applied(bool from_start, const PlaylistReply& answer);

  [[nodiscard]] QByteArray to_file() const;
  // Replaces the draft. Returns what is wrong with the file, or an empty text.
  QString open(const QByteArray& file);

private:
  [[nodiscard]] QList<qsizetype> following() const;
  [[nodiscard]] QList<qsizetype> chosen(bool from_start) const;

  QList<DraftEntry> entries_;
  bool repeat_ = false;
  std::optional<DraftEntry> on_wall_;
  QList<DraftEntry> queue_;
  bool live_repeat_ = false;
};

// "3 passes", "60 s", "once", "until Next"
QString duration_text(const DraftEntry& entry);

}  // namespace lw
