// Methods about what the nodes draw over their tiles: identify, mark, pattern.
#include "server/control/methods.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lw {
namespace {

constexpr std::array<std::string_view, 6> patterns{"none", "identify", "grid", "bar", "ramp", "black"};

struct TileMethods {
  TileOverlays& overlays;
  StatePublisher& publisher;

  RpcReply identify(const Json& json, const Caller& /*caller*/) const {
    return switch_on_tiles(json, &OverlaySettings::identify);
  }
  RpcReply mark(const Json& json, const Caller& /*caller*/) const {
    return switch_on_tiles(json, &OverlaySettings::mark);
  }
  RpcReply pattern(const Json& json, const Caller& caller) const;
  [[nodiscard]] RpcReply switch_on_tiles(const Json& json, bool OverlaySettings::*setting) const;
  [[nodiscard]] RpcReply change(const std::optional<std::pair<unsigned, unsigned>>& tile,
                                const std::function<void(OverlaySettings&)>& change) const;
};

RpcReply TileMethods::change(const std::optional<std::pair<unsigned, unsigned>>& tile,
                             const std::function<void(OverlaySettings&)>& change) const {
  if (const auto changed = overlays.change(tile, change); !changed) return cannot(changed.error());
  publisher.publish();
  return Json::object();
}

RpcReply TileMethods::switch_on_tiles(const Json& json, bool OverlaySettings::*setting) const {
  Params params(json);
  const bool on = params.boolean("on");
  const auto tile = params.optional_pair("tile");
  if (auto problem = params.problem()) return bad_params(*problem);
  return change(tile, [&](OverlaySettings& overlay) { overlay.*setting = on; });
}

RpcReply TileMethods::pattern(const Json& json, const Caller& /*caller*/) const {
  Params params(json);
  const auto name = params.text("pattern");
  const auto tile = params.optional_pair("tile");
  if (auto problem = params.problem()) return bad_params(*problem);
  if (std::ranges::find(patterns, name) == patterns.end())
    return bad_params("pattern must be none, identify, grid, bar, ramp or black");
  return change(tile, [&](OverlaySettings& overlay) { overlay.pattern = name; });
}

}  // namespace

void offer_tile_methods(Dispatcher& dispatcher, TileOverlays& overlays, StatePublisher& publisher) {
  const TileMethods group{overlays, publisher};
  dispatcher.offer("identify", group, &TileMethods::identify);
  dispatcher.offer("mark", group, &TileMethods::mark);
  dispatcher.offer("pattern", group, &TileMethods::pattern);
}

}  // namespace lw
