// server.line: what plays and what follows, from the coordinator of a wall to its other servers. server/play/line.h
// explains the members. server_messages.h has the other messages between servers.
#pragma once

#include "common/base/frame_rate.h"
#include "common/base/hex_digits.h"
#include "common/messages/fades.h"
#include "common/messages/node_report.h"
#include "common/messages/play_requests.h"
#include "common/messages/sound_level.h"
#include "common/pixel/pixel_format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// A change that happens while the wall is black.
struct ChangeMessage {
  std::string name, digest;
  std::int64_t at_ns = 0;  // media time of its first frame, since 1970
  std::uint32_t frame = 0;
  bool paused = false;
  std::int64_t fade_ns = 0;
  std::optional<EntryMessage> entry;  // its entry in the playlist, if any

  static constexpr bool closed = false;
  static void members(auto& change, auto& visit) {
    visit("name", change.name);
    visit("digest", change.digest);
    visit("at_ns", change.at_ns, Whole{0, std::int64_t{1} << 62U});
    visit("frame", change.frame, frame_number);
    visit("paused", change.paused);
    visit("fade_ns", change.fade_ns, Whole{0, Nanoseconds(fade_max).count()});
    visit("entry", change.entry);
  }
  bool operator==(const ChangeMessage&) const = default;
};

// PlayoutRamp.
struct DelayMessage {
  std::int64_t start_ns = 0;  // media time, since 1970
  std::int64_t from_ns = 0, to_ns = 0, length_ns = 0;

  static constexpr bool closed = false;
  static void members(auto& delay, auto& visit) {
    constexpr Whole time{0, std::int64_t{1} << 62U};
    constexpr Whole span{0, Nanoseconds(std::chrono::hours{1}).count()};
    visit("start_ns", delay.start_ns, time);
    visit("from_ns", delay.from_ns, span);
    visit("to_ns", delay.to_ns, span);
    visit("length_ns", delay.length_ns, span);
  }
  bool operator==(const DelayMessage&) const = default;
};

// ParitySwitch.
struct ParityMessage {
  unsigned flow = 0;
  bool on = false;
  // Frames, by pixel format, in the order of all_pixel_formats. Formats of which no frame was due are absent from the
  // end, down to the three that the first servers knew.
  std::vector<std::int64_t> at, without;

  static constexpr std::size_t formats_least = 3;
  static constexpr std::size_t formats = all_pixel_formats.size();
  static constexpr bool closed = false;
  static void members(auto& parity, auto& visit) {
    constexpr Whole frames{0, std::int64_t{1} << 40U};
    visit("flow", parity.flow);
    visit("on", parity.on);
    visit("at", parity.at, frames, AtMost{formats});
    visit("without", parity.without, frames, AtMost{formats});
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    if (at.size() < formats_least || without.size() < formats_least)
      return "at and without must have one number per pixel format";
    return std::nullopt;
  }
  bool operator==(const ParityMessage&) const = default;
};

struct LineMessage {
  std::uint64_t number = 0;  // grows with each line of the coordinator
  bool plays = false;
  std::string name;    // of the visualization; empty if nothing plays
  std::string digest;  // of its frames (OpenStore::digest)
  std::uint32_t generation = 0;
  std::int64_t first_tick = 0;
  std::int64_t start_ns = 0;  // media time of the first tick, since 1970
  std::int32_t rate_numerator = 30, rate_denominator = 1;
  std::int64_t ticks_before = 0;
  std::uint32_t in = 0, out = 0;
  std::int64_t position = 0;  // in 2^-20 frames, like step
  std::int64_t step = 0;
  std::uint32_t rounds = 0;
  std::optional<std::uint32_t> times;
  std::int64_t played_ns = 0;
  bool loop = true, paused = false, ended = false;
  bool growing = false;                                                                // more frames will follow `out`
  std::string format = "rgb8";                                                         // of its frames
  std::uint64_t rgb8_before = 0, ycbcr422_8_before = 0, ycbcr422_10_before = 0;        // frames due before first_tick
  std::optional<std::uint64_t> bc7_before, bc1_before, rgb10_before, lossless_before;  // the same; absent: none
  std::uint64_t epoch = 0;                                                             // of the coordinator
  std::vector<EntryMessage> entry;     // of the playlist, that plays; one or none
  std::vector<EntryMessage> playlist;  // what follows
  bool repeat = false;
  std::vector<std::string> digests;  // as playlist; empty texts if not known
  std::optional<ChangeMessage> coming;
  std::vector<FadeMessage> fades;     // newest first
  std::optional<SoundLevel> sound{};  // absent: as loud as it is, not muted
  std::optional<DelayMessage> delay;  // the playout delay, if it is adapted
  std::vector<ParityMessage> parity;  // of flows, with [streaming] fec = "auto"
  std::string start;                  // the secret of this start of the wall (server/send/stream_numbers.h)

  static constexpr bool closed = false;
  static void members(auto& line, auto& visit) {
    constexpr std::int64_t frames_max = std::int64_t{1} << 31U;
    constexpr std::int64_t fraction = std::int64_t{1} << 20U;
    constexpr std::int64_t frames_due_max = std::int64_t{1} << 40U;
    visit("number", line.number);
    visit("plays", line.plays);
    visit("name", line.name, MayBeAbsent{});
    visit("digest", line.digest, MayBeAbsent{});
    visit("generation", line.generation, Whole{0, UINT16_MAX});
    visit("first_tick", line.first_tick, Whole{0, std::int64_t{1} << 40U});
    visit("start_ns", line.start_ns, Whole{0, std::int64_t{1} << 62U});
    visit("rate_numerator", line.rate_numerator, Whole{1, 1'000'000});
    visit("rate_denominator", line.rate_denominator, Whole{1, 1'000'000});
    visit("ticks_before", line.ticks_before, Whole{0, 1'000'000});
    visit("in", line.in, Whole{0, frames_max - 1});
    visit("out", line.out, Whole{0, frames_max - 1});
    visit("position", line.position, Whole{0, frames_max * fraction});
    visit("step", line.step, Whole{-8 * fraction, 8 * fraction});
    visit("rounds", line.rounds, Whole{0, UINT32_MAX});
    visit("times", line.times, Whole{0, UINT32_MAX});
    visit("played_ns", line.played_ns, MayBeAbsent{}, Whole{0, std::int64_t{1} << 62U});
    visit("loop", line.loop);
    visit("paused", line.paused);
    visit("ended", line.ended);
    visit("growing", line.growing, MayBeAbsent{});
    visit("format", line.format);
    visit("rgb8_before", line.rgb8_before, Whole{0, frames_due_max});
    visit("ycbcr422_8_before", line.ycbcr422_8_before, Whole{0, frames_due_max});
    visit("ycbcr422_10_before", line.ycbcr422_10_before, Whole{0, frames_due_max});
    visit("bc7_before", line.bc7_before, Whole{0, frames_due_max});
    visit("bc1_before", line.bc1_before, Whole{0, frames_due_max});
    visit("rgb10_before", line.rgb10_before, Whole{0, frames_due_max});
    visit("lossless_before", line.lossless_before, Whole{0, frames_due_max});
    visit("start", line.start, Text{64});
    visit("epoch", line.epoch, MayBeAbsent{});
    visit("entry", line.entry, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{1});
    visit("playlist", line.playlist, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{playlist_entries_max});
    visit("repeat", line.repeat, MayBeAbsent{});
    visit("digests", line.digests, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{playlist_entries_max});
    visit("coming", line.coming);
    visit("fades", line.fades, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{std::tuple_size_v<decltype(Fades::newest)>});
    visit("sound", line.sound);
    visit("delay", line.delay);
    visit("parity", line.parity, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{report_entries_max});
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    const auto frame = position >> 20U;
    const auto hertz = static_cast<double>(rate_numerator) / rate_denominator;
    if (in > out || frame < in || frame > out) return "position must lie from in to out";
    if (hertz < frame_rate_min || hertz > frame_rate_max) return "the frame rate must be from 1 to 240";
    if (ticks_before >= rate_numerator) return "ticks_before must be less than rate_numerator";
    if (!parse_pixel_format(format)) return "format must be the name of a pixel format";
    if (!are_digits(start, 64)) return "start must be 64 hexadecimal digits";
    if (!digests.empty() && digests.size() != playlist.size()) return "digests must have one text for each entry";
    if (plays && (name.empty() || step == 0)) return "a line that plays needs name and step";
    return std::nullopt;
  }
  bool operator==(const LineMessage&) const = default;
};

}  // namespace lw
