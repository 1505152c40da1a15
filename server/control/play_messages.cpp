#include "server/control/play_messages.h"

#include "common/base/frame_rate.h"

namespace lw {
namespace {

std::int64_t ms_of(Nanoseconds time) { return std::chrono::duration_cast<std::chrono::milliseconds>(time).count(); }

}  // namespace

std::optional<Transition> transition_of(const TransitionMessage& choice) {
  if (!choice.kind) return std::nullopt;
  if (choice.kind == TransitionKind::cut) return Transition{};
  return Transition{std::chrono::milliseconds{choice.fade_ms.value_or(fade_usual.count())}};
}

PlaylistEntry entry_of(const EntryMessage& message) {
  return {message.id.value_or(0), message.name, message.loops, message.seconds,
          transition_of(message.transition).value_or(Transition{})};
}

EntryMessage message_of(const PlaylistEntry& entry) {
  EntryMessage message{entry.name, {}, entry.loops, entry.seconds, {}};
  if (entry.id != 0) message.id = entry.id;
  if (entry.transition != Transition{}) message.transition = {TransitionKind::fade, ms_of(entry.transition.fade)};
  return message;
}

std::vector<EntryMessage> messages_of(const Playlist& playlist) {
  std::vector<EntryMessage> messages;
  for (const auto& entry : playlist.entries) messages.push_back(message_of(entry));
  return messages;
}

StateMessage message_of(const PlayState& state) {
  StateMessage message;
  message.status = state.status;
  message.rate = state.rate;
  message.loop = state.loop;
  message.playlist = messages_of(state.playlist);
  message.repeat = state.playlist.repeat;
  message.revision = state.revision;
  message.sound = state.sound;
  if (state.status == PlayStatus::stopped) return message;
  message.name = state.name;
  message.frame = state.frame;
  message.frames = state.frame_count;
  if (state.growing) message.growing = true;
  message.frame_rate = to_text(state.frame_rate);
  if (state.entry) message.entry = message_of(*state.entry);
  if (state.coming) {
    message.coming = {state.coming->name, ms_of(state.coming->fade), {}};
    if (state.coming->entry) message.coming->entry = message_of(*state.coming->entry);
  }
  if (state.range) {
    message.in = state.range->first;
    message.out = state.range->last;
  }
  return message;
}

}  // namespace lw
