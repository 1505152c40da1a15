#include "server/play/announced_line.h"

namespace lw {

LineMessage to_message(const AnnouncedLine& announced) {
  const auto& parts = announced.line.parts();
  LineMessage message;
  message.number = announced.number;
  message.plays = parts.plays;
  message.name = announced.name;
  message.digest = announced.digest;
  message.generation = parts.generation;
  message.first_tick = parts.first_tick;
  message.start_ns = parts.start.time_since_epoch().count();
  message.rate_numerator = parts.frame_rate.numerator;
  message.rate_denominator = parts.frame_rate.denominator;
  message.ticks_before = parts.ticks_before;
  message.in = parts.range.first;
  message.out = parts.range.last;
  message.position = parts.position.units;
  message.step = parts.step;
  message.rounds = parts.rounds;
  message.times = parts.times;
  message.loop = parts.loop;
  message.paused = parts.paused;
  message.ended = parts.ended;
  return message;
}

AnnouncedLine from_message(const LineMessage& message) {
  Line::Parts parts;
  parts.plays = message.plays;
  parts.generation = static_cast<std::uint16_t>(message.generation);
  parts.first_tick = message.first_tick;
  parts.start = WallTime{Nanoseconds{message.start_ns}};
  parts.frame_rate = {message.rate_numerator, message.rate_denominator};
  parts.ticks_before = message.ticks_before;
  parts.range = {message.in, message.out};
  parts.position = {message.position};
  parts.step = message.step;
  parts.rounds = message.rounds;
  parts.times = message.times;
  parts.loop = message.loop;
  parts.paused = message.paused;
  parts.ended = message.ended;
  return {message.number, Line(parts), message.name, message.digest};
}

}  // namespace lw
