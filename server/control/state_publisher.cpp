#include "server/control/state_publisher.h"

#include "common/base/frame_rate.h"
#include "common/messages/fade_json.h"
#include "server/control/playlist_json.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace lw {
namespace {

void send_fades(const NodeState& node, const Fades& fades) {
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.fade", to_json(fades)));
}

}  // namespace

Json StatePublisher::json() const {
  const auto state = session_.state();
  constexpr std::array<std::string_view, 3> names{"stopped", "playing", "paused"};
  Json json{{"status", names[static_cast<std::size_t>(state.status)]},
            {"rate", state.rate},
            {"loop", state.loop},
            {"playlist", entries_json(state.playlist)},
            {"repeat", state.playlist.repeat},
            {"revision", state.revision}};
  for (const auto& missing : library_.missing()) json["missing"].push_back(missing.directory.string());
  if (auto overlays = overlays_.json(); !overlays.empty()) json["overlays"] = std::move(overlays);
  if (state.status == PlayStatus::stopped) return json;
  json["name"] = state.name;
  json["frame"] = state.frame;
  json["frames"] = state.frame_count;
  json["frame_rate"] = to_text(state.frame_rate);
  if (state.entry) json["entry"] = to_json(*state.entry);
  if (state.coming) {
    json["coming"] = {{"name", state.coming->name}, {"fade_ms", ms_of(state.coming->fade)}};
    if (state.coming->entry) json["coming"]["entry"] = to_json(*state.coming->entry);
  }
  if (state.range) {
    json["in"] = state.range->first;
    json["out"] = state.range->last;
  }
  return json;
}

void StatePublisher::publish(bool is_new) {
  const auto state = session_.state();
  revision_ = state.revision;
  if (state.fades != std::exchange(fades_, state.fades))
    for (const auto& [name, node] : nodes_.all()) send_fades(node, fades_);
  subscribers_.notify("state", json(), nullptr, !is_new);
}

RpcReply StatePublisher::done(const Result<void>& result) {
  if (!result) return cannot(result.error());
  publish();
  return json();
}

void StatePublisher::tell_fades(const NodeState& node) const {
  if (fades_ != Fades{}) send_fades(node, fades_);
}

}  // namespace lw
