// Playlists as the control protocol and the file of what was playing have them.
#pragma once

#include "common/messages/rpc.h"
#include "server/play/playlist.h"

#include <optional>
#include <string>

namespace lw {

inline constexpr std::size_t playlist_entries_max = 1000;

// "transition" and "fade_ms", where they are given.
std::optional<Transition> take_transition(Params& params, std::optional<std::string>& problem);
Json to_json(const PlaylistEntry& entry);
Json entries_json(const Playlist& playlist);
// Appends it to the playlist, or says what is wrong.
std::optional<std::string> take_entry(const Json& json, Playlist& playlist);

std::int64_t ms_of(Nanoseconds time);

}  // namespace lw
