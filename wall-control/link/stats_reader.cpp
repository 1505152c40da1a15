#include "wall-control/link/stats_reader.h"

#include "common/base/printable.h"
#include "wall-control/messages/told.h"

#include <utility>

namespace lw {
namespace {

// Some ten seconds of statistics: more than a window that was stopped for a moment has to catch up with.
constexpr std::size_t waiting_max = 100;

// Messages of tables consist of lists and scalars, and their depth is bounded.
void make_printable(Json& value) {
  if (value.is_array())
    for (auto& each : value) make_printable(each);
  else if (auto* text = value.get_ptr<std::string*>())
    *text = printable(*text);
}

}  // namespace

void StatsReader::begin() {
  ++connection_;
  waiting_.clear();
  asked_ = false;
}

void StatsReader::read(const QByteArray& message, bool as_json) {
  if (waiting_.size() == waiting_max) waiting_.clear();  // the gap in their numbers is noticed
  waiting_.push_back({connection_, message, as_json});
  if (!is_reading_) read_next();
}

void StatsReader::read_next() {
  is_reading_ = !waiting_.empty();
  if (!is_reading_) return;
  worker_.start([this, message = std::move(waiting_.front())] {
    QMetaObject::invokeMethod(
        this, [this, outcome = read_now(message)] { take(outcome); }, Qt::QueuedConnection);
  });
  waiting_.pop_front();
}

StatsReader::Outcome StatsReader::read_now(const Message& message) {
  if (std::exchange(read_connection_, message.connection) != message.connection) tables_ = StatsTablesReceiver();
  auto json = parse_cbor({message.bytes.constData(), static_cast<std::size_t>(message.bytes.size())}, tables_depth_max);
  if (json) make_printable(*json);
  Outcome outcome{message.connection, tables_.take(json ? *std::move(json) : Json()), {}};
  if (outcome.stats && message.as_json) outcome.json = to_qt(to_json(**outcome.stats));
  return outcome;
}

void StatsReader::take(const Outcome& outcome) {
  if (outcome.connection == connection_) {
    if (outcome.stats) {
      asked_ = false;
      emit arrived(**outcome.stats, outcome.json);
    } else {
      emit misread(QString::fromStdString(outcome.stats.error().what));
      if (!std::exchange(asked_, true)) emit full_wanted();
    }
  }
  read_next();
}

}  // namespace lw
