#include "common/messages/frame_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::array<std::size_t, frame_step_count> times_of_step{2, 3, 3, 4};

bool is_of_flow(FrameStep step) { return step == FrameStep::sent || step == FrameStep::received; }
std::size_t times_of(FrameStep step) { return times_of_step[static_cast<std::size_t>(step)]; }

std::optional<FrameRecord> frame_record(const FrameRecordMessage& message, const Wall& wall) {
  FrameRecord record{.media_time = WallTime{Nanoseconds{message.media_ns}},
                     .frame = message.frame,
                     .bytes = message.bytes,
                     .generation = message.generation,
                     .tick = message.tick,
                     .stripe = message.step == FrameStep::read ? message.stripe.value_or(0) : std::uint16_t{0},
                     .step = message.step,
                     .fate = message.fate};
  if (is_of_flow(message.step)) {
    if (*message.flow >= wall.flow_count()) return std::nullopt;
    record.part = *message.flow;
  } else {
    const auto tile = wall.find_tile(*message.tile);
    if (!tile) return std::nullopt;
    record.part = static_cast<std::uint16_t>(tile->value);
  }
  for (std::size_t i = 0; i < message.times_ns.size(); ++i)
    if (const auto offset = message.times_ns[i]) record.times[i] = record.media_time + Nanoseconds{*offset};
  return record;
}

}  // namespace

std::optional<std::string> FrameRecordMessage::problem() const {
  if (times_ns.size() != times_of(step)) return fmt::format("times_ns must have {} entries", times_of(step));
  if (is_of_flow(step) ? !flow : !tile) return is_of_flow(step) ? "flow is missing" : "tile is missing";
  if (step == FrameStep::read && !stripe) return "stripe is missing";
  return std::nullopt;
}

FrameRecordMessage message_of(const FrameRecord& record, const Wall& wall) {
  FrameRecordMessage message{.step = record.step,
                             .fate = record.fate,
                             .frame = record.frame,
                             .generation = record.generation,
                             .tick = record.tick,
                             .bytes = record.bytes,
                             .media_ns = record.media_time.time_since_epoch().count()};
  message.times_ns.reserve(times_of(record.step));
  for (std::size_t i = 0; i < times_of(record.step); ++i) {
    const auto time = record.times[i];
    message.times_ns.push_back(time == WallTime{} ? std::nullopt : std::optional((time - record.media_time).count()));
  }
  if (is_of_flow(record.step))
    message.flow = record.part;
  else
    message.tile = wall.tile({record.part}).cell;
  if (record.step == FrameStep::read) message.stripe = record.stripe;
  return message;
}

std::vector<FrameRecordMessage> messages_of(std::span<const FrameRecord> records, const Wall& wall) {
  std::vector<FrameRecordMessage> messages;
  messages.reserve(records.size());
  for (const auto& record : records) messages.push_back(message_of(record, wall));
  return messages;
}

std::vector<FrameRecord> frame_records(std::span<const FrameRecordMessage> messages, const Wall& wall) {
  std::vector<FrameRecord> records;
  records.reserve(messages.size());
  for (const auto& message : messages)
    if (const auto record = frame_record(message, wall)) records.push_back(*record);
  return records;
}

}  // namespace lw
