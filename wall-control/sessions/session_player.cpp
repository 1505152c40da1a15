#include "wall-control/sessions/session_player.h"

#include "wall-control/messages/told.h"
#include "wall-control/models/time_series.h"

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int turn_ms = 40;
constexpr int work_ms = 25;  // of one turn
constexpr qint64 history_ms = TimeSeries::seconds_max * 1000LL;

}  // namespace

SessionPlayer::SessionPlayer(QObject* parent) : TelemetrySource(parent) {
  timer_.setInterval(turn_ms);
  connect(&timer_, &QTimer::timeout, this, &SessionPlayer::turn);
}

QString SessionPlayer::open(const QString& path) {
  auto opened = SessionReader::open(path);
  if (!opened) return QString::fromStdString(opened.error().text());
  timer_.stop();
  playing_ = false;
  reader_ = std::move(*opened);
  next_ = 1;
  target_ms_ = begin_ms();
  emit changed();
  seek(length_ms());
  return {};
}

void SessionPlayer::close() {
  timer_.stop();
  playing_ = false;
  reader_.reset();
  emit changed();
}

qint64 SessionPlayer::length_ms() const { return is_open() ? reader_->time_of(reader_->size() - 1) - begin_ms() : 0; }

qint64 SessionPlayer::position_ms() const {
  return is_open() ? std::clamp<qint64>(target_ms_ - begin_ms(), 0, length_ms()) : 0;
}

void SessionPlayer::seek(qint64 position_ms) {
  if (!is_open()) return;
  const auto target = begin_ms() + std::clamp<qint64>(position_ms, 0, length_ms());
  const auto first = std::max<std::size_t>(1, reader_->at_time(target - history_ms));
  // A short way forwards the history continues; else it starts again.
  if (next_ <= 1 || target < target_ms_ || first > next_) begin_at(first);
  target_ms_ = target;
  since_turn_.start();
  timer_.start();
  turn();
}

// The state of the wall at that moment is recorded before it.
void SessionPlayer::begin_at(std::size_t number) {
  using Kind = SessionEntry::Kind;
  emit began();
  next_ = std::max<std::size_t>(1, number);
  for (const auto kind : {Kind::info, Kind::library, Kind::state})
    for (std::size_t i = next_; i-- > 1;)
      if (reader_->kind_of(i) == kind) {
        tell(reader_->at(i));
        break;
      }
}

void SessionPlayer::play(bool playing) {
  if (!is_open()) return;
  playing_ = playing;
  if (playing && position_ms() >= length_ms()) return seek(0);
  since_turn_.start();
  timer_.start();
  emit changed();
}

void SessionPlayer::set_speed(double speed) { speed_ = speed; }

void SessionPlayer::turn() {
  if (!is_open()) return;
  if (playing_) target_ms_ += std::llround(static_cast<double>(since_turn_.elapsed()) * speed_);
  since_turn_.restart();
  QElapsedTimer work;
  work.start();
  while (!at_end() && reader_->time_of(next_) <= target_ms_ && work.elapsed() < work_ms) tell(reader_->at(next_++));
  if (at_end()) playing_ = false;
  if (at_end() || (!playing_ && reader_->time_of(next_) > target_ms_)) timer_.stop();
  emit caught_up();
  emit changed();
}

void SessionPlayer::tell(const SessionEntry& entry) {
  using Kind = SessionEntry::Kind;
  switch (entry.kind) {
    case Kind::session:
      return;
    case Kind::info:
      if (const auto read = info_from(entry.body)) emit ready(*read);
      return;
    case Kind::library:
      if (const auto read = library_from(entry.body)) emit library(*read);
      return;
    case Kind::state:
      if (const auto read = state_from(entry.body)) emit play_state(*read);
      return;
    case Kind::stats:
      if (const auto read = stats_from(entry.body)) emit stats(*read);
      return;
    case Kind::event:
      if (const auto read = event_from(entry.body)) emit happened(*read);
      return;
  }
}

}  // namespace lw
