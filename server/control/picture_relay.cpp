#include "server/control/picture_relay.h"

#include "common/messages/message.h"
#include "common/messages/requests.h"

namespace lw {
namespace {

constexpr std::chrono::milliseconds picture_interval_min{100};  // per tile

void tell_wish(const NodeState& node, bool wanted) {
  if (node.peer != nullptr) node.peer->send(rpc_notification("node.pictures", to_json(PicturesWanted{wanted})));
}

}  // namespace

void PictureRelay::look_who_wants() {
  const bool wanted = subscribers_.any(&Subscription::pictures);
  if (wanted == wanted_) return;
  wanted_ = wanted;
  for (const auto& [name, node] : nodes_.all()) tell_wish(node, wanted_);
}

void PictureRelay::tell(const NodeState& node) const {
  if (wanted_) tell_wish(node, true);
}

void PictureRelay::pass_on(TileIndex tile, const TilePictureMessage& picture, LocalTime now) {
  auto& last = passed_on_[tile.value];
  if (!wanted_ || (last && now - *last < picture_interval_min)) return;
  last = now;
  subscribers_.notify_who_keeps_up("picture", to_json(picture), &Subscription::pictures);
}

}  // namespace lw
