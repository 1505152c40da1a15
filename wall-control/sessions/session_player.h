// Plays a recorded session: emits its entries in order as signals, as the link does for a server. Seeking to a moment
// emits the entries of the hour before it in short turns, so that the window remains responsive.
#pragma once

#include "wall-control/messages/telemetry_source.h"
#include "wall-control/sessions/session_reader.h"

#include <QElapsedTimer>
#include <QTimer>

namespace lw {

class SessionPlayer : public TelemetrySource {
  Q_OBJECT

public:
  explicit SessionPlayer(QObject* parent = nullptr);

  // Replaces the session that is open, and goes to the new one's end. Returns what went wrong, or an empty text.
  QString open(const QString& path);
  void close();
  [[nodiscard]] bool is_open() const { return reader_ != nullptr; }
  [[nodiscard]] const SessionReader& reader() const { return *reader_; }

  // Milliseconds since the session began.
  [[nodiscard]] qint64 length_ms() const;
  [[nodiscard]] qint64 position_ms() const;
  void seek(qint64 position_ms);
  void play(bool playing);
  [[nodiscard]] bool playing() const { return playing_; }
  void set_speed(double speed);

signals:
  void changed();  // another session, none, or another position; before the first signal of a session

private:
  void turn();
  void begin_at(std::size_t number);
  void tell(const SessionEntry& entry);
  [[nodiscard]] bool at_end() const { return next_ >= reader_->size(); }
  [[nodiscard]] qint64 begin_ms() const { return reader_->time_of(0); }

  std::unique_ptr<SessionReader> reader_;
  std::size_t next_ = 1;  // next entry to emit; the first one is the session's head
  qint64 target_ms_ = 0;  // entries up to this moment are emitted
  bool playing_ = false;
  double speed_ = 1;
  QElapsedTimer since_turn_;
  QTimer timer_;
};

}  // namespace lw
