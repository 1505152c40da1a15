#include "wall-control/wallview/tile_wishes.h"

#include "wall-control/models/tile_figures.h"

#include <algorithm>

namespace lw {
namespace {

std::optional<GridCell> tile_of(const Place& place) {
  if (!place) return std::nullopt;
  return GridCell{static_cast<unsigned>(place->first), static_cast<unsigned>(place->second)};
}

}  // namespace

void ask_to_identify(ControlLink& link, const Place& place, bool on) {
  link.call("identify", SwitchRequest{on, tile_of(place)});
}

void ask_to_mark(ControlLink& link, const Place& place, bool on) {
  link.call("mark", SwitchRequest{on, tile_of(place)});
}

void ask_for_pattern(ControlLink& link, const Place& place, const QString& pattern) {
  const auto& keys = pattern_keys();
  const auto found = std::ranges::find(keys, pattern);
  if (found != keys.end())
    link.call("pattern", PatternRequest{static_cast<Pattern>(found - keys.begin()), tile_of(place)});
}

}  // namespace lw
