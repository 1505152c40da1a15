#include "common/wall/sound_routes.h"

#include <algorithm>

namespace lw {

unsigned Wall::sound_count() const { return static_cast<unsigned>(sounds_of(*this).size()); }

std::vector<SoundStream> sounds_of(const Wall& wall) {
  std::vector<SoundStream> sounds;
  for (const auto& node : wall.nodes) {
    if (node.audio.empty()) continue;
    const auto number = static_cast<unsigned>(sounds.size());
    sounds.push_back({number, &node, {wall.flow_count() + number, node.tiles.front().tile, 0, 0}});
  }
  return sounds;
}

std::optional<SoundStream> sound_of(const Wall& wall, const WallNode& node) {
  const auto sounds = sounds_of(wall);
  const auto found = std::ranges::find(sounds, node.name, [](const SoundStream& stream) { return stream.node->name; });
  return found == sounds.end() ? std::nullopt : std::optional(*found);
}

std::vector<SoundStream> sounds_of(const Wall& wall, const WallServer& server) {
  auto sounds = sounds_of(wall);
  const auto tiles = wall.tiles_of(server);
  std::erase_if(sounds, [&](const SoundStream& sound) { return !std::ranges::binary_search(tiles, sound.band.tile); });
  return sounds;
}

}  // namespace lw
