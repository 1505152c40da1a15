#include "server/control/state_publisher.h"

#include "common/messages/fades.h"
#include "common/messages/message.h"
#include "server/control/play_messages.h"

#include <utility>

namespace lw {
namespace {

void send_fades(const NodeState& node, const Fades& fades) {
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.fade", to_json(message_of(fades))));
}

void send_sound(const NodeState& node, const SoundLevel& level) {
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.sound", to_json(level)));
}

}  // namespace

StateMessage StatePublisher::message() const {
  auto message = message_of(session_.state());
  if (!has_sound_) message.sound.reset();
  for (const auto& missing : library_.missing()) message.missing.push_back(missing.directory.string());
  message.overlays = overlays_.all();
  message.imports = imports_;
  return message;
}

void StatePublisher::publish(bool is_new) {
  const auto state = session_.state();
  revision_ = state.revision;
  if (state.fades != std::exchange(fades_, state.fades))
    for (const auto& [name, node] : nodes_.all()) send_fades(node, fades_);
  if (state.sound != std::exchange(sound_, state.sound))
    for (const auto& [name, node] : nodes_.all()) send_sound(node, sound_);
  subscribers_.notify("state", to_json(message()), nullptr, !is_new);
}

RpcReply StatePublisher::done(const Result<void>& result) {
  if (!result) return cannot(result.error());
  publish();
  return to_json(message());
}

void StatePublisher::tell(const NodeState& node) const {
  if (fades_ != Fades{}) send_fades(node, fades_);
  if (has_sound_) send_sound(node, session_.state().sound);
}

}  // namespace lw
