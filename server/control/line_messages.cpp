#include "server/control/line_messages.h"

#include "server/control/play_messages.h"

#include <algorithm>
#include <string>

namespace lw {
namespace {

ChangeMessage message_of(const AnnouncedChange& change) {
  ChangeMessage message{change.name,
                        change.digest,
                        change.at.time_since_epoch().count(),
                        change.frame,
                        change.paused,
                        change.fade.count(),
                        {}};
  if (change.entry) message.entry = message_of(*change.entry);
  return message;
}

std::vector<std::int64_t> counts_of(const FrameCounts& frames) {
  static_assert(ParityMessage::formats == FrameCounts::formats);
  std::vector<std::int64_t> counts(frames.of.begin(), frames.of.end());
  while (counts.size() > ParityMessage::formats_least && counts.back() == 0) counts.pop_back();
  return counts;
}

ParityMessage message_of(unsigned flow, const ParitySwitch& parity) {
  return {flow, parity.on, counts_of(parity.at), counts_of(parity.without)};
}

std::optional<std::uint64_t> if_any(std::int64_t frames) {
  return frames > 0 ? std::optional(static_cast<std::uint64_t>(frames)) : std::nullopt;
}

ParitySwitch switch_of(const ParityMessage& message) {
  ParitySwitch parity;
  parity.on = message.on;
  std::ranges::copy(message.at, parity.at.of.begin());
  std::ranges::copy(message.without, parity.without.of.begin());
  return parity;
}

AnnouncedChange change_of(const ChangeMessage& message) {
  AnnouncedChange change{message.name,  message.digest, WallTime{Nanoseconds{message.at_ns}},
                         message.frame, message.paused, Nanoseconds{message.fade_ns},
                         std::nullopt};
  if (message.entry) change.entry = entry_of(*message.entry);
  return change;
}

std::vector<std::string> digests_of(const AnnouncedLine& announced) {
  std::vector<std::string> digests;
  for (const auto& entry : announced.playlist.entries) {
    const auto found = announced.digests.find(entry.name);
    digests.push_back(found == announced.digests.end() ? std::string() : found->second);
  }
  return digests;
}

}  // namespace

LineMessage to_message(const AnnouncedLine& announced, std::uint64_t epoch) {
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
  message.played_ns = parts.played.count();
  message.loop = parts.loop;
  message.paused = parts.paused;
  message.ended = parts.ended;
  message.growing = parts.growing;
  message.format = info(parts.format).name;
  message.rgb8_before = static_cast<std::uint64_t>(parts.frames_before[PixelFormat::rgb8]);
  message.ycbcr422_8_before = static_cast<std::uint64_t>(parts.frames_before[PixelFormat::ycbcr422_8]);
  message.ycbcr422_10_before = static_cast<std::uint64_t>(parts.frames_before[PixelFormat::ycbcr422_10]);
  message.bc7_before = if_any(parts.frames_before[PixelFormat::bc7]);
  message.bc1_before = if_any(parts.frames_before[PixelFormat::bc1]);
  message.rgb10_before = if_any(parts.frames_before[PixelFormat::rgb10]);
  message.lossless_before = if_any(parts.frames_before[PixelFormat::lossless]);
  message.start = announced.start.text();
  message.epoch = epoch;
  if (announced.entry) message.entry.push_back(message_of(*announced.entry));
  message.playlist = messages_of(announced.playlist);
  message.repeat = announced.playlist.repeat;
  message.digests = digests_of(announced);
  if (announced.coming) message.coming = message_of(*announced.coming);
  if (announced.fades != Fades{}) message.fades = message_of(announced.fades).fades;
  if (announced.sound != SoundLevel{}) message.sound = announced.sound;
  if (const auto& delay = announced.delay)
    message.delay = DelayMessage{delay->start.time_since_epoch().count(), delay->from.count(), delay->to.count(),
                                 delay->length.count()};
  for (const auto& [flow, parity] : announced.parity) message.parity.push_back(message_of(flow, parity));
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
  parts.played = Nanoseconds{message.played_ns};
  parts.loop = message.loop;
  parts.paused = message.paused;
  parts.ended = message.ended;
  parts.growing = message.growing;
  if (const auto format = parse_pixel_format(message.format)) parts.format = *format;
  parts.frames_before[PixelFormat::rgb8] = static_cast<std::int64_t>(message.rgb8_before);
  parts.frames_before[PixelFormat::ycbcr422_8] = static_cast<std::int64_t>(message.ycbcr422_8_before);
  parts.frames_before[PixelFormat::ycbcr422_10] = static_cast<std::int64_t>(message.ycbcr422_10_before);
  parts.frames_before[PixelFormat::bc7] = static_cast<std::int64_t>(message.bc7_before.value_or(0));
  parts.frames_before[PixelFormat::bc1] = static_cast<std::int64_t>(message.bc1_before.value_or(0));
  parts.frames_before[PixelFormat::rgb10] = static_cast<std::int64_t>(message.rgb10_before.value_or(0));
  parts.frames_before[PixelFormat::lossless] = static_cast<std::int64_t>(message.lossless_before.value_or(0));
  AnnouncedLine announced{message.number, Line(parts), message.name, message.digest,
                          WallStart::parse(message.start).value_or(WallStart{})};
  if (!message.entry.empty()) announced.entry = entry_of(message.entry.front());
  for (const auto& entry : message.playlist) announced.playlist.entries.push_back(entry_of(entry));
  announced.playlist.repeat = message.repeat;
  for (std::size_t i = 0; i < message.digests.size(); ++i)
    if (!message.digests[i].empty()) announced.digests[message.playlist[i].name] = message.digests[i];
  if (message.coming) announced.coming = change_of(*message.coming);
  announced.fades = fades_of({message.fades});
  announced.sound = message.sound.value_or(SoundLevel{});
  if (const auto& delay = message.delay)
    announced.delay = {WallTime{Nanoseconds{delay->start_ns}}, Nanoseconds{delay->from_ns}, Nanoseconds{delay->to_ns},
                       Nanoseconds{delay->length_ns}};
  for (const auto& parity : message.parity) announced.parity[parity.flow] = switch_of(parity);
  return announced;
}

}  // namespace lw
