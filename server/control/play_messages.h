// Converts what plays and what follows between messages and the session's types.
#pragma once

#include "common/messages/play_state.h"
#include "server/play/session.h"

#include <optional>
#include <vector>

namespace lw {

// Empty if none was chosen.
std::optional<Transition> transition_of(const TransitionMessage& choice);
PlaylistEntry entry_of(const EntryMessage& message);
EntryMessage message_of(const PlaylistEntry& entry);
std::vector<EntryMessage> messages_of(const Playlist& playlist);
// Without what the session does not know: missing directories and overlays.
StateMessage message_of(const PlayState& state);

}  // namespace lw
