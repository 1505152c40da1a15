// Small pictures of what the tiles show: nodes send them while an operator wants them, and they are passed on.
#include "common/messages/tile_picture.h"
#include "server/control/service_impl.h"

#include <algorithm>

namespace lw {

using Impl = ControlService::Impl;

namespace {

constexpr std::chrono::milliseconds picture_interval_min{100};  // of a tile
constexpr std::size_t unread_bytes_max = std::size_t{64} << 10U;

}  // namespace

void Impl::tell_who_wants_pictures() {
  const bool wanted =
      std::ranges::any_of(subscribers_, [](const auto& subscriber) { return subscriber.second.pictures; });
  if (wanted == pictures_wanted_) return;
  pictures_wanted_ = wanted;
  for (const auto& [name, node] : nodes_) push_picture_wish(node);
}

void Impl::push_picture_wish(const NodeState& node) const {
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.pictures", {{"on", pictures_wanted_}}));
}

RpcReply Impl::node_picture(const Json& json, const Caller& caller) {
  const auto picture = checked_tile_picture(json);
  if (!picture) return bad_params("not a tile's picture: a PNG of at most 256 pixels each way and 192 KiB, in base64");
  const auto known = node_of_peer_.find(caller.peer);
  if (known == node_of_peer_.end()) return cannot(Error{"a picture from a connection that did not say node.hello", ""});
  const auto column = (*picture)["tile"][0].get<std::uint64_t>();
  const auto row = (*picture)["tile"][1].get<std::uint64_t>();
  if (column >= wall_.columns || row >= wall_.rows) return bad_params("the wall has no such tile");
  const TileId tile{static_cast<unsigned>(column), static_cast<unsigned>(row)};
  if (wall_.node_of(tile).name != known->second) return bad_params("this tile is not node " + known->second + "'s");
  auto& passed_on = tiles_[wall_.index(tile)].picture;
  const auto now = LocalClock::now();
  if (!pictures_wanted_ || (passed_on && now - *passed_on < picture_interval_min)) return Json::object();
  passed_on = now;
  pass_on(*picture);
  return Json::object();
}

// To who keeps up: a slow line has its room for figures and events.
void Impl::pass_on(const Json& picture) {
  const auto text = std::make_shared<const std::string>(rpc_notification("picture", picture));
  for (const auto& [peer, subscription] : subscribers_)
    if (subscription.pictures && peer->unread_bytes() <= unread_bytes_max) peer->send(text, true);
}

}  // namespace lw
