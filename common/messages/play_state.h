// state: what the server plays, sent to operators at every change and ten times a second.
#pragma once

#include "common/messages/import.h"
#include "common/messages/play_requests.h"
#include "common/messages/sound_level.h"
#include "common/messages/tile_overlay.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

enum class PlayStatus : std::uint8_t { stopped, playing, paused };

// What plays next, once the wall is black.
struct ComingMessage {
  std::string name;
  std::int64_t fade_ms = 0;
  std::optional<EntryMessage> entry;  // its entry in the playlist, if any

  static constexpr bool closed = false;
  static void members(auto& coming, auto& visit) {
    visit("name", coming.name, MayBeAbsent{});
    visit("fade_ms", coming.fade_ms, MayBeAbsent{});
    visit("entry", coming.entry, Tolerated{});
  }
  bool operator==(const ComingMessage&) const = default;
};

struct StateMessage {
  PlayStatus status = PlayStatus::stopped;
  double rate = 1;
  bool loop = true;
  std::vector<EntryMessage> playlist;  // the following entries
  bool repeat = false;
  std::uint64_t revision = 0;          // grows with every change a person made or caused
  std::vector<std::string> missing;    // content directories that cannot be read
  std::vector<TileOverlay> overlays;   // of the tiles that have any
  std::vector<ImportMessage> imports;  // the newest on each server's host
  std::optional<SoundLevel> sound;     // absent if no node of the wall plays sound
  // Absent if nothing is loaded:
  std::optional<std::string> name;
  std::optional<std::uint32_t> frame;  // the newest handed to the flows
  std::optional<std::uint32_t> frames;
  std::optional<bool> growing = {};  // true: it is still being written, and has so many frames by now
  std::optional<std::string> frame_rate;
  std::optional<EntryMessage> entry;    // the playlist's entry that plays, if any
  std::optional<ComingMessage> coming;  // while the wall fades to black
  std::optional<std::uint32_t> in, out;

  static constexpr bool closed = false;
  static void members(auto& state, auto& visit) {
    visit("status", state.status, Names{"stopped", "playing", "paused"});
    visit("rate", state.rate, MayBeAbsent{});
    visit("loop", state.loop, MayBeAbsent{});
    visit("playlist", state.playlist, MayBeAbsent{});
    visit("repeat", state.repeat, MayBeAbsent{});
    visit("revision", state.revision, MayBeAbsent{});
    visit("missing", state.missing, MayBeAbsent{}, AbsentIfEmpty{}, Text{path_bytes_max});
    visit("overlays", state.overlays, MayBeAbsent{}, AbsentIfEmpty{});
    visit("imports", state.imports, Tolerated{}, AbsentIfEmpty{}, ValidOnly{}, AtMost{imports_max});
    visit("sound", state.sound, Tolerated{});
    visit("name", state.name);
    visit("frame", state.frame, frame_number);
    visit("frames", state.frames, frame_number);
    visit("growing", state.growing, Tolerated{});
    visit("frame_rate", state.frame_rate);
    visit("entry", state.entry);
    visit("coming", state.coming);
    visit("in", state.in, frame_number);
    visit("out", state.out, frame_number);
  }
  bool operator==(const StateMessage&) const = default;

private:
  static constexpr std::size_t path_bytes_max = 4096;
  static constexpr std::size_t imports_max = 1024;
};

}  // namespace lw
