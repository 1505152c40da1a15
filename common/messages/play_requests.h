// Requests of operators for playback: load, seek, rate, loop, playlist, next. docs/protocol.md describes each method.
#pragma once

#include "common/messages/play_limits.h"
#include "common/messages/rules.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace lw {

inline constexpr Whole frame_number{0, std::numeric_limits<std::int32_t>::max()};

enum class TransitionKind : std::uint8_t { cut, fade };

// How one visualization follows another; a part of the messages below.
struct TransitionMessage {
  std::optional<TransitionKind> kind;
  std::optional<std::int64_t> fade_ms;

  static void members(auto& choice, auto& visit) {
    visit("transition", choice.kind, Names{"cut", "fade"});
    visit("fade_ms", choice.fade_ms, Whole{fade_min.count(), fade_max.count()});
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    if (fade_ms && kind != TransitionKind::fade) return "fade_ms belongs to the transition fade";
    return std::nullopt;
  }
  bool operator==(const TransitionMessage&) const = default;
};

struct LoadRequest {
  std::string name;
  std::optional<std::uint32_t> frame;
  std::optional<bool> paused;
  TransitionMessage transition;
  std::optional<bool> incomplete = {};  // also if some of the wall's servers cannot play it

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("name", request.name);
    visit("frame", request.frame, frame_number);
    visit("paused", request.paused);
    visit("incomplete", request.incomplete);
    TransitionMessage::members(request.transition, visit);
  }
  [[nodiscard]] std::optional<std::string> problem() const { return transition.problem(); }
  bool operator==(const LoadRequest&) const = default;
};

struct SeekRequest {
  std::uint32_t frame = 0;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) { visit("frame", request.frame, frame_number); }
  bool operator==(const SeekRequest&) const = default;
};

struct RateRequest {
  double rate = 1;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("rate", request.rate, Within{-play_rate_max, play_rate_max});
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    if (is_play_rate(rate)) return std::nullopt;
    return fmt::format("rate must be at least {} forwards or backwards; pause stops", play_rate_min);
  }
  bool operator==(const RateRequest&) const = default;
};

struct LoopRequest {
  bool loop = true;
  std::optional<std::uint32_t> in, out;  // absent: those of the visualization

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("loop", request.loop);
    visit("in", request.in, frame_number);
    visit("out", request.out, frame_number);
  }
  bool operator==(const LoopRequest&) const = default;
};

struct EntryMessage {
  std::string name;
  std::optional<std::uint64_t> id;
  std::optional<std::uint32_t> loops;
  std::optional<double> seconds;
  TransitionMessage transition;  // from what plays before it

  static constexpr bool closed = true;
  static void members(auto& entry, auto& visit) {
    visit("name", entry.name);
    visit("id", entry.id, Whole{1});
    visit("loops", entry.loops, Whole{1, entry_loops_max});
    visit("seconds", entry.seconds, Within{entry_seconds_min, entry_seconds_max});
    TransitionMessage::members(entry.transition, visit);
  }
  [[nodiscard]] std::optional<std::string> problem() const { return transition.problem(); }
  bool operator==(const EntryMessage&) const = default;
};

// Without names and entries it only returns the playlist.
struct PlaylistRequest {
  std::optional<std::vector<std::string>> names;
  std::optional<std::vector<EntryMessage>> entries;
  std::optional<bool> repeat;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("names", request.names);
    visit("entries", request.entries);
    visit("repeat", request.repeat);
  }
  [[nodiscard]] std::optional<std::string> problem() const {
    if (names && entries) return "give names or entries, not both";
    if (!names && !entries && repeat) return "repeat belongs to names or entries";
    if ((names ? names->size() : 0) > playlist_entries_max || (entries ? entries->size() : 0) > playlist_entries_max)
      return fmt::format("a playlist has at most {} entries", playlist_entries_max);
    return std::nullopt;
  }
  bool operator==(const PlaylistRequest&) const = default;
};

struct PlaylistReply {
  std::vector<std::string> names;  // of the entries, for programs that do not know entries
  std::vector<EntryMessage> entries;
  bool repeat = false;

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("names", reply.names, MayBeAbsent{});
    visit("entries", reply.entries);
    visit("repeat", reply.repeat);
  }
  bool operator==(const PlaylistReply&) const = default;
};

struct NextRequest {
  TransitionMessage transition;

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) { TransitionMessage::members(request.transition, visit); }
  [[nodiscard]] std::optional<std::string> problem() const { return transition.problem(); }
  bool operator==(const NextRequest&) const = default;
};

}  // namespace lw
