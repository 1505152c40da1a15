// Relays previews of the tiles from nodes to operators. Nodes send previews only while an operator wants them. Control
// thread only.
#pragma once

#include "common/messages/tile_picture.h"
#include "server/control/node_registry.h"
#include "server/control/subscribers.h"

#include <optional>
#include <vector>

namespace lw {

class PictureRelay {
public:
  PictureRelay(const Wall& wall, const NodeRegistry& nodes, const Subscribers& subscribers)
      : nodes_(nodes), subscribers_(subscribers), passed_on_(wall.tile_count()) {}

  // Starts or stops the previews of all nodes when the first subscriber wants them or the last one leaves.
  void look_who_wants();
  // To a node that has just connected.
  void tell(const NodeState& node) const;
  // `picture`: of the tile, from its node. Skips previews that come too often.
  void pass_on(TileIndex tile, const TilePictureMessage& picture, LocalTime now);

private:
  const NodeRegistry& nodes_;
  const Subscribers& subscribers_;
  bool wanted_ = false;                              // as last sent to the nodes
  std::vector<std::optional<LocalTime>> passed_on_;  // when a preview was last relayed, by tile
};

}  // namespace lw
