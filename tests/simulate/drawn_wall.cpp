#include "tests/simulate/drawn_wall.h"

#include "common/wall/send_window.h"
#include "tests/support/network.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace lw::simulate {
namespace {

constexpr unsigned large_wall = 64;  // tiles
constexpr unsigned rows_least = 8;   // of a tile: two rows of blocks, so that each of two flows has one

// Tiles of different sizes, each within the cell that it would have in the grid.
Grid with_own_sizes(const Grid& grid, truth::Random random) {
  std::vector<FreeTile> tiles;
  for (TileIndex tile; tile.value < grid.tile_count(); ++tile.value) {
    auto place = grid.place(tile);
    place.width = static_cast<unsigned>(2 * random.between(8, place.width / 2));
    place.height = static_cast<unsigned>(random.between(rows_least, place.height));
    tiles.push_back({fmt::format("own-{}", tile.value), place});
  }
  return Grid::of(std::move(tiles));
}

std::string shape_of(const Grid& grid) {
  if (grid.is_free()) return fmt::format("{} tiles of different sizes", grid.tile_count());
  return fmt::format("{}x{} tiles of {}x{}", grid.columns, grid.rows, grid.tile_width, grid.tile_height);
}

// All nodes are in both networks, or some of them.
void add_second_network(Wall& wall, truth::Random& random) {
  wall.coordinator().interfaces.emplace_back("10.128.0.1");
  const bool all = random.once_in(2);
  for (std::size_t number = 0; number < wall.nodes.size(); ++number)
    if (all || random.once_in(2))
      wall.nodes[number].second_address = fmt::format("10.129.{}.{}", number / 200, number % 200 + 1);
}

}  // namespace

Wall wall_of(const Settings& settings) {
  truth::Random random(settings.seed * 0x9e3779b97f4a7c15U);
  Wall wall;
  wall.name = "simulated";
  Grid grid;
  grid.columns = static_cast<unsigned>(std::ceil(std::sqrt(settings.tiles)));
  grid.rows = (settings.tiles + grid.columns - 1) / grid.columns;
  grid.tile_width = static_cast<unsigned>(2 * random.between(8, 32));
  grid.tile_height = static_cast<unsigned>(random.between(8, 48));
  truth::Random of_shape(settings.seed ^ 0x5bd1e995U);
  const bool own_sizes = of_shape.once_in(3) && grid.tile_count() <= FreeTile::count_max;
  wall.set_grid(own_sizes ? with_own_sizes(grid, of_shape) : grid);
  const auto rate = random.below(3);
  wall.frame_rate = std::array{FrameRate{10, 1}, FrameRate{25, 1}, FrameRate{30000, 1001}}[rate];
  // Each frame of a large wall takes as many steps as several seconds of a small one.
  if (settings.tiles > large_wall) wall.frame_rate = FrameRate{rate == 0 ? 10 : 5, 1};
  const auto per_node = std::max<std::uint64_t>(random.between(1, 4), settings.tiles / 64);
  for (unsigned i = 0; i < wall.tile_count(); ++i) {
    if (i % per_node == 0) {
      WallNode node;
      const auto number = wall.nodes.size();
      node.name = fmt::format("node-{}", number);
      node.address = fmt::format("10.1.{}.{}", number / 200, number % 200 + 1);
      wall.nodes.push_back(node);
    }
    wall.nodes.back().tiles.push_back({{i}, {}, 0, 0});
  }
  wall.coordinator().interfaces = {"10.0.0.1"};
  auto& streaming = wall.streaming;
  streaming.flows_per_tile = static_cast<unsigned>(random.between(1, 2));
  // Half of the walls send a frame in several runs.
  const bool many_runs = random.once_in(2);
  streaming.mtu = static_cast<unsigned>(random.between(576, many_runs ? 600 : 1500));
  streaming.burst_packets = static_cast<unsigned>(random.between(1, many_runs ? 2 : 7));
  streaming.resend = !random.once_in(4);
  streaming.fec = static_cast<FecUse>(random.below(3));
  if (random.once_in(3)) streaming.resend_percent = static_cast<unsigned>(random.between(1, 5));
  wall.sync.mode = random.once_in(2) ? SyncMode::wall : SyncMode::tile;
  streaming.playout_delay = default_playout_delay(wall.frame_rate, wall.sync.mode);
  if (random.once_in(3))
    streaming.playout_delay += std::chrono::ceil<std::chrono::milliseconds>(wall.frame_rate.duration_of(3));
  if (random.once_in(3)) streaming.playout_delay_max = streaming.playout_delay * 2;
  if (random.once_in(3)) wall.clock = ClockSource::wall;
  if (random.once_in(3)) add_second_network(wall, random);
  streaming.packet_layout = random.once_in(2) ? PacketLayout::in_slots : PacketLayout::in_rows;
  streaming.zero_copy = random.once_in(2);
  truth::Random of_sound(settings.seed ^ 0x85ebca6bU);
  for (unsigned i = of_sound.once_in(2) ? 0 : 2; i < 2; ++i)
    wall.nodes[of_sound.below(wall.nodes.size())].audio = "simulated";
  return wall;
}

// Faster than every wall's frames, so that each frame has its own retrace.
Nanoseconds refresh_of(const Settings& settings) {
  truth::Random random(settings.seed ^ 0x9e3779b9U);
  if (random.once_in(2)) return Nanoseconds{0};
  return std::array{FrameRate{60, 1}, FrameRate{60'000, 1001}, FrameRate{50, 1}, FrameRate{75, 1},
                    FrameRate{144, 1}}[random.below(5)]
      .duration_of(1);
}

std::string describe(const Settings& settings) {
  const auto wall = wall_of(settings);
  const auto& streaming = wall.streaming;
  const auto refresh = refresh_of(settings);
  return fmt::format(
      "{} on {} nodes{}, {} flows{}{}, {:.4g} frame/s{}, playout delay {} to {} ms, {}{}{}, sync {}, clock {}",
      shape_of(wall.grid), wall.nodes.size(), wall.coordinator().interfaces.size() > 1 ? " in two networks" : "",
      wall.flow_count(), streaming.packet_layout == PacketLayout::in_slots ? " with slots" : "",
      streaming.zero_copy ? " without copies" : "", wall.frame_rate.hertz(),
      refresh > Nanoseconds{0} ? fmt::format(" on screens of {:.4g} Hz", 1e9 / static_cast<double>(refresh.count()))
                               : std::string(),
      streaming.playout_delay.count(), streaming.longest_playout_delay().count(),
      streaming.resend ? "resends" : "no resends",
      std::array{"", ", FEC where needed", ", FEC always"}[static_cast<std::size_t>(streaming.fec)],
      wall.sound_count() > 0 ? ", sound" : "", wall.sync.mode == SyncMode::wall ? "wall" : "tile",
      wall.clock == ClockSource::wall ? "wall" : "system");
}

}  // namespace lw::simulate
