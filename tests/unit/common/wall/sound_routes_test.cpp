#include "common/wall/sound_routes.h"

#include <catch2/catch.hpp>

#include <set>

namespace lw {
namespace {

constexpr const char* two_nodes = R"(
[wall]
name = "w"
columns = 2
rows = 1
tile_width = 64
tile_height = 40
frame_rate = 30
[[node]]
name = "left"
address = "10.0.0.12"
audio = "default"
tiles = [{ column = 0, row = 0 }]
[[node]]
name = "right"
address = "10.0.0.13"
audio = "pipewire:hall"
tiles = [{ column = 1, row = 0 }]
[[server]]
name = "a"
control = "10.0.0.1:9010"
interfaces = ["10.0.0.1"]
tiles = [{ column = 0, row = 0 }]
[[server]]
name = "b"
control = "10.0.0.2:9010"
interfaces = ["10.0.0.2"]
[[server]]
name = "c"
control = "10.0.0.3:9010"
interfaces = ["10.0.0.3"]
standby_for = "b"
[streaming]
flows_per_tile = 3
)";

TEST_CASE("each node with an output gets one stream, from the servers of its first tile, at ports of its own") {
  auto wall = parse_wall(two_nodes, "w.toml").value();
  const auto sounds = sounds_of(wall);
  REQUIRE(sounds.size() == 2);
  std::set<unsigned> ports;
  for (const auto& band : all_bands(wall)) ports.insert(media_port(wall, band.flow));
  for (const auto& sound : sounds) {
    CHECK(ports.insert(media_port(wall, sound.band.flow)).second);
    CHECK(&wall.node_of(sound.band.tile) == sound.node);
    CHECK(routes_of(wall, wall.server_of(sound.band.tile), sound.band).front().to == sound.node->address);
  }
  CHECK(media_port(wall, sounds[1].band.flow) == 50'000 + 2 * 6 + 2);
  const auto sent_by = [&](const char* server) { return sounds_of(wall, *wall.find_server(server)); };
  REQUIRE(sent_by("a").size() == 1);
  CHECK(sent_by("a")[0].node->name == "left");
  for (const auto* server : {"b", "c"}) {
    REQUIRE(sent_by(server).size() == 1);
    CHECK(sent_by(server)[0].number == 1);
  }
  wall.nodes[0].audio.clear();
  CHECK(wall.sound_count() == 1);
  CHECK(sounds_of(wall).front().node == &wall.nodes[1]);
  CHECK(media_port(wall, sounds_of(wall).front().band.flow) == 50'000 + 2 * 6);
}

}  // namespace
}  // namespace lw
