// Methods for what the nodes draw over their tiles: identify, mark, pattern.
#include "server/control/methods.h"

namespace lw {
namespace {

struct TileMethods {
  TileOverlays& overlays;
  StatePublisher& publisher;

  RpcReply identify(const SwitchRequest& request, const Caller& /*caller*/) const {
    return change(request.tile, [&](TileOverlay& overlay) { overlay.identify = request.on; });
  }
  RpcReply mark(const SwitchRequest& request, const Caller& /*caller*/) const {
    return change(request.tile, [&](TileOverlay& overlay) { overlay.mark = request.on; });
  }
  RpcReply pattern(const PatternRequest& request, const Caller& /*caller*/) const {
    return change(request.tile, [&](TileOverlay& overlay) { overlay.pattern = request.pattern; });
  }

  [[nodiscard]] RpcReply change(const std::optional<GridCell>& tile,
                                const std::function<void(TileOverlay&)>& change) const;
};

RpcReply TileMethods::change(const std::optional<GridCell>& tile,
                             const std::function<void(TileOverlay&)>& change) const {
  if (const auto changed = overlays.change(tile, change); !changed) return cannot(changed.error());
  publisher.publish();
  return Json::object();
}

}  // namespace

void offer_tile_methods(Dispatcher& dispatcher, TileOverlays& overlays, StatePublisher& publisher) {
  const TileMethods group{overlays, publisher};
  dispatcher.offer("identify", group, &TileMethods::identify);
  dispatcher.offer("mark", group, &TileMethods::mark);
  dispatcher.offer("pattern", group, &TileMethods::pattern);
}

}  // namespace lw
