#include "ingest/store_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

#include "ingest/ingest.h"
#include "ingest/verify.h"
#include "tests/support/store_folder.h"

namespace {

namespace fs = std::filesystem;
const std::atomic<bool> runs_on{false};

lw::Wall wall_of(const lw::Grid& grid) {
  lw::Wall wall;
  wall.set_grid(grid);
  wall.frame_rate = {30, 1};
  lw::WallNode node;
  node.name = "node";
  node.address = "127.0.0.1";
  for (lw::TileIndex tile; tile.value < grid.tile_count(); ++tile.value) node.tiles.push_back({tile, {}, 0, 0});
  wall.nodes = {node};
  return wall;
}

lw::Grid random_grid(std::mt19937& random, unsigned step, unsigned bezel_steps_max) {
  const auto number = [&](unsigned from, unsigned to) {
    return from + static_cast<unsigned>(random()) % (to - from + 1);
  };
  return {.columns = number(1, 4),
          .rows = number(1, 3),
          .tile_width = step * number(2, 6),
          .tile_height = step * number(2, 5),
          .bezel_x = step * number(0, bezel_steps_max),
          .bezel_y = step * number(0, bezel_steps_max)};
}

// Columns of tiles of all sizes, with gaps everywhere; rows at the top may be without any.
lw::Grid random_layout(std::mt19937& random, unsigned step) {
  const auto number = [&](unsigned from, unsigned to) {
    return step * (from + static_cast<unsigned>(random()) % (to - from + 1));
  };
  std::vector<lw::FreeTile> tiles;
  unsigned x = 0;
  for (auto columns = 1 + random() % 4; columns > 0; --columns) {
    const auto width = number(2, 6);
    unsigned y = number(0, 3);
    for (auto rows = 1 + random() % 3; rows > 0; --rows) {
      const auto height = number(2, 5);
      tiles.push_back({fmt::format("t{}", tiles.size()), {x, y, width, height}});
      y += height + number(0, 3);
    }
    x += width + number(0, 2);
  }
  std::ranges::shuffle(tiles, random);
  return lw::Grid::of(std::move(tiles));
}

lw::Size picture_of(const lw::Grid& grid) { return {grid.picture().width, grid.picture().height}; }

// Of [0, size): the nearest position for which `shown` holds, the one before if two are as near.
template <class Shown>
unsigned nearest_shown(unsigned at, unsigned size, const Shown& shown) {
  for (unsigned apart = 0; apart < size; ++apart) {
    if (at >= apart && shown(at - apart)) return at - apart;
    if (at + apart < size && shown(at + apart)) return at + apart;
  }
  return size;
}

// A wall that shows every pixel of the image, cut elsewhere.
lw::Grid seamless_grid(std::mt19937& random, lw::Size picture, unsigned step) {
  const auto parts = [&](unsigned length) {
    std::vector<unsigned> all;
    for (unsigned n = 1; n <= 8; ++n)
      if (length % (n * step) == 0) all.push_back(n);
    return all.at(static_cast<std::size_t>(random()) % all.size());
  };
  const auto columns = parts(picture.width);
  const auto rows = parts(picture.height);
  return {
      .columns = columns, .rows = rows, .tile_width = picture.width / columns, .tile_height = picture.height / rows};
}

lw::IngestOptions import_of(const std::string& input, const fs::path& out) {
  lw::IngestOptions options;
  options.input = input;
  options.out = {out};
  options.create = true;
  options.name = "x";
  options.json = true;
  options.threads = 2;
  return options;
}

lw::IngestOptions cut_of(const fs::path& store, const fs::path& out) {
  auto options = import_of(store.string(), out);
  options.from = {store};
  return options;
}

std::string moving_picture(lw::Size size, double seconds = 0.1) {
  return fmt::format("lavfi:testsrc2=size={}x{}:rate=30:duration={}", size.width, size.height, seconds);
}

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// All stripes' files, without those that have the store's random id.
void check_same_frames(const fs::path& one, const fs::path& other) {
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(one)) {
    if (entry.path().extension() != ".npy") continue;
    CAPTURE(entry.path().filename().string());
    CHECK(content_of(entry.path()) == content_of(other / entry.path().filename()));
    ++files;
  }
  CHECK(files >= 2);  // a tile and the checksums
}

void change_byte(const fs::path& file, std::streamoff at) {
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(at);
  const auto byte = static_cast<char>(stream.get() ^ 0x55);
  stream.seekp(at);
  stream.put(byte);
}

constexpr lw::Grid plain{.columns = 3, .rows = 2, .tile_width = 16, .tile_height = 8};
constexpr lw::Grid other{.columns = 2, .rows = 1, .tile_width = 24, .tile_height = 16};

}  // namespace

TEST_CASE("a store that is cut for another wall and back has the same bytes, in every format and layout") {
  const auto format = GENERATE(from_range(lw::all_pixel_formats));
  CAPTURE(lw::info(format).name);
  for (unsigned seed = 0; seed < 6; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const StoreFolder folder;
    const auto step = std::max(2U, lw::info(format).group_pixels);
    const auto grid = seed % 2 == 0 ? random_grid(random, step, 2) : random_layout(random, step);
    const auto across = seamless_grid(random, picture_of(grid), step);
    auto made = import_of(moving_picture(picture_of(grid)), folder.path / "a");
    made.format = format;
    made.fit = lw::Fit::exact;
    REQUIRE(lw::ingest(made, wall_of(grid), runs_on).has_value());
    auto there = cut_of(folder.path / "a/x", folder.path / "b");
    there.format = format;
    there.out.push_back(folder.path / "b2");
    there.copies = 1 + static_cast<unsigned>(random()) % 2;
    if (random() % 2 == 0) there.packets = 1500;
    const auto cut = lw::ingest(there, wall_of(across), runs_on);
    REQUIRE(cut.has_value());
    CHECK(cut->frames == 3);
    CHECK(lw::verify(folder.path / "b/x", true, runs_on)->damaged == 0);
    auto back = cut_of(folder.path / "b/x", folder.path / "c");
    back.format = format;
    REQUIRE(lw::ingest(back, wall_of(grid), runs_on).has_value());
    check_same_frames(folder.path / "a/x", folder.path / "c/x");
  }
}

TEST_CASE("pixels between the tiles of the store's wall repeat the nearest pixel") {
  for (unsigned seed = 0; seed < 16; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const StoreFolder folder;
    const auto grid = seed % 2 == 0 ? random_grid(random, 1, 5) : random_layout(random, 1);
    const auto size = picture_of(grid);
    const auto colour = [](unsigned x, unsigned y, unsigned channel) {
      return static_cast<char>(x * 3 + y * 7 + channel * 50);
    };
    std::ofstream image(folder.path / "image.ppm", std::ios::binary);
    image << "P6\n" << size.width << ' ' << size.height << "\n255\n";
    for (unsigned y = 0; y < size.height; ++y)
      for (unsigned x = 0; x < size.width; ++x)
        for (unsigned c = 0; c < 3; ++c) image.put(colour(x, y, c));
    image.close();
    REQUIRE(lw::ingest(import_of((folder.path / "image.ppm").string(), folder.path / "a"), wall_of(grid), runs_on)
                .has_value());
    const lw::Grid whole{.columns = 1, .rows = 1, .tile_width = size.width, .tile_height = size.height};
    REQUIRE(lw::ingest(cut_of(folder.path / "a/x", folder.path / "b"), wall_of(whole), runs_on).has_value());
    const auto covered = [&](unsigned x, unsigned y) {
      return std::ranges::any_of(lw::tiles_of(grid), [&](const lw::Tile& tile) {
        return x - tile.place.x < tile.place.width && y - tile.place.y < tile.place.height;  // modulo 2^32
      });
    };
    const auto has_tile = [&](unsigned y) {
      return nearest_shown(0, size.width, [&](unsigned x) { return covered(x, y); }) < size.width;
    };
    const auto cut = content_of(folder.path / "b/x/tile-0-0.npy");
    bool same = true;
    for (unsigned y = 0; y < size.height; ++y) {
      const auto row = nearest_shown(y, size.height, has_tile);
      for (unsigned x = 0; x < size.width; ++x) {
        const auto column = nearest_shown(x, size.width, [&](unsigned at) { return covered(at, row); });
        for (unsigned c = 0; c < 3; ++c)
          same = same && cut[4096 + (std::size_t{y} * size.width + x) * 3 + c] == colour(column, row, c);
      }
    }
    CHECK(same);
  }
}

TEST_CASE("a store is scaled and converted as its source would be") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  std::mt19937 random(5);
  for (unsigned frame = 0; frame < 3; ++frame) {
    std::ofstream image(folder.path / "in" / fmt::format("f{}.ppm", frame), std::ios::binary);
    image << "P6\n48 16\n255\n";
    for (unsigned i = 0; i < 48 * 16 * 3; ++i) image.put(static_cast<char>(random()));
  }
  const auto source = (folder.path / "in").string();
  REQUIRE(lw::ingest(import_of(source, folder.path / "a"), wall_of(plain), runs_on).has_value());
  const auto fit = GENERATE(lw::Fit::fit, lw::Fit::fill, lw::Fit::stretch, lw::Fit::exact);
  const auto format = GENERATE(from_range(lw::all_pixel_formats));
  CAPTURE(static_cast<int>(fit), lw::info(format).name);
  const unsigned width = lw::has_groups(format, 50) ? 50 : 52;
  const lw::Grid larger{.columns = 2, .rows = 2, .tile_width = width, .tile_height = 22, .bezel_x = 6, .bezel_y = 3};
  auto direct = import_of(source, folder.path / "b");
  auto cut = cut_of(folder.path / "a/x", folder.path / "c");
  for (auto* options : {&direct, &cut}) {
    options->fit = fit;
    options->format = format;
    REQUIRE(lw::ingest(*options, wall_of(larger), runs_on)->frames == 3);
  }
  check_same_frames(folder.path / "b/x", folder.path / "c/x");
}

TEST_CASE("a cut store keeps the rate, or gets another one, and the texts") {
  const StoreFolder folder;
  auto made = import_of(moving_picture(picture_of(plain), 0.5), folder.path / "a");
  made.title = "Title";
  made.description = "Description";
  made.tags = {"tag"};
  REQUIRE(lw::ingest(made, wall_of(plain), runs_on)->frames == 15);
  auto cut = cut_of(folder.path / "a/x", folder.path / "b");
  cut.name.clear();
  REQUIRE(lw::ingest(cut, wall_of(other), runs_on)->frames == 15);
  const auto store = lw::load_store(folder.path / "b/x");
  REQUIRE(store.has_value());
  CHECK(store->frame_rate == lw::FrameRate{30, 1});
  CHECK(store->title == "Title");
  CHECK(store->description == "Description");
  CHECK(store->tags == std::vector<std::string>{"tag"});
  CHECK(store->source == made.input);
  cut.overwrite = true;
  cut.rate = "60";
  CHECK(lw::ingest(cut, wall_of(other), runs_on)->frames == 30);
  cut.rate = "keep";
  cut.start = 0.2;
  CHECK(lw::ingest(cut, wall_of(other), runs_on)->frames == 9);
  cut.frames_max = 4;
  CHECK(lw::ingest(cut, wall_of(other), runs_on)->frames == 4);
}

TEST_CASE("a damaged frame of a store is an error, or its copy is read and counted") {
  const StoreFolder folder;
  auto made = import_of(moving_picture(picture_of(plain), 0.2), folder.path / "a");
  made.out.push_back(folder.path / "a2");
  made.copies = GENERATE(1U, 2U);
  REQUIRE(lw::ingest(made, wall_of(plain), runs_on).has_value());
  REQUIRE(lw::ingest(cut_of(folder.path / "a/x", folder.path / "good"), wall_of(other), runs_on).has_value());
  // Frame 2 of tile 4 is in stripe 0, as its record 1.
  const auto file = folder.path / "a/x/tile-1-1.npy";
  change_byte(file, 4096 + 4096 + 7);
  const auto cut = lw::ingest(cut_of(folder.path / "a/x", folder.path / "b"), wall_of(other), runs_on);
  if (made.copies == 1) {
    REQUIRE(cut.has_error());
    CHECK(cut.error().what == "frame 2 of tile-1-1 is damaged in " + file.string());
    CHECK_FALSE(fs::exists(folder.path / "b/x"));
    return;
  }
  REQUIRE(cut.has_value());
  CHECK(cut->damaged == 1);
  check_same_frames(folder.path / "good/x", folder.path / "b/x");
  fs::remove_all(folder.path / "a2/x");  // the disk is gone; the other has a good copy of all frames but this one
  const auto alone = lw::ingest(cut_of(folder.path / "a/x", folder.path / "c"), wall_of(other), runs_on);
  REQUIRE(alone.has_error());
  CHECK(alone.error().what == "frame 2 of tile-1-1 is damaged in " + file.string());
  change_byte(file, 4096 + 4096 + 7);
  REQUIRE(lw::ingest(cut_of(folder.path / "a/x", folder.path / "c"), wall_of(other), runs_on).has_value());
  check_same_frames(folder.path / "good/x", folder.path / "c/x");
}

TEST_CASE("the stores of several servers are cut together") {
  const StoreFolder folder;
  auto wall = wall_of(plain);
  wall.servers.resize(2);
  wall.servers[0].name = "left";
  wall.servers[0].tiles = {{0}, {1}, {3}};
  wall.servers[1].name = "right";
  wall.servers[1].tiles = {{2}, {4}, {5}};
  const auto source = moving_picture(picture_of(plain));
  auto parts = import_of(source, "unused");
  parts.targets = {{"left", {folder.path / "left"}}, {"right", {folder.path / "right"}}};
  REQUIRE(lw::ingest(parts, wall, runs_on).has_value());
  REQUIRE(lw::ingest(import_of(source, folder.path / "all"), wall, runs_on).has_value());
  auto cut = cut_of(folder.path / "left/x", folder.path / "b");
  const auto lacking = lw::ingest(cut, wall_of(other), runs_on);
  REQUIRE(lacking.has_error());
  CHECK(lacking.error().what.find("lacks tile-2-0") != std::string::npos);
  cut.from.push_back(folder.path / "right/x");
  REQUIRE(lw::ingest(cut, wall_of(other), runs_on).has_value());
  REQUIRE(lw::ingest(cut_of(folder.path / "all/x", folder.path / "c"), wall_of(other), runs_on).has_value());
  check_same_frames(folder.path / "b/x", folder.path / "c/x");
  // Half of another edition.
  auto later = parts;
  later.start = 0.04;
  later.targets = {{"right", {folder.path / "later"}}};
  REQUIRE(lw::ingest(later, wall, runs_on).has_value());
  cut.from.back() = folder.path / "later/x";
  cut.overwrite = true;
  const auto mixed = lw::ingest(cut, wall_of(other), runs_on);
  REQUIRE(mixed.has_error());
  CHECK(mixed.error().what.find("not of the same import") != std::string::npos);
}

TEST_CASE("a cut continues after an interruption, and in shards, with the same bytes") {
  const StoreFolder folder;
  REQUIRE(lw::ingest(import_of(moving_picture(picture_of(plain), 0.5), folder.path / "a"), wall_of(plain), runs_on)
              .has_value());
  auto cut = cut_of(folder.path / "a/x", folder.path / "b");
  cut.format = GENERATE(lw::PixelFormat::rgb8, lw::PixelFormat::bc1);
  REQUIRE(lw::ingest(cut, wall_of(other), runs_on).has_value());
  auto again = cut;
  again.out = {folder.path / "c"};
  const std::atomic<bool> at_once{true};
  CHECK(lw::ingest(again, wall_of(other), at_once)->interrupted);
  REQUIRE(lw::ingest(again, wall_of(other), runs_on).has_value());
  check_same_frames(folder.path / "b/x", folder.path / "c/x");
  again.out = {folder.path / "d"};
  for (unsigned number = 1; number <= 3; ++number) {
    auto part = again;
    part.shard = lw::Shard{number, 3};
    CHECK(lw::ingest(part, wall_of(other), runs_on)->frames == 5);
  }
  REQUIRE(lw::join_shards(again, wall_of(other), runs_on).has_value());
  check_same_frames(folder.path / "b/x", folder.path / "d/x");
  // Another edition is not continued.
  auto changed = import_of(moving_picture(picture_of(plain), 0.4), folder.path / "a");
  changed.overwrite = true;
  again.out = {folder.path / "e"};
  CHECK(lw::ingest(again, wall_of(other), at_once)->interrupted);
  REQUIRE(lw::ingest(changed, wall_of(plain), runs_on).has_value());
  CHECK(lw::ingest(again, wall_of(other), runs_on)->frames == 12);
}

TEST_CASE("a folder with a visualization is a store, also as the input, and is probed") {
  const StoreFolder folder;
  constexpr lw::Grid gap{.columns = 2, .rows = 1, .tile_width = 20, .tile_height = 16, .bezel_x = 8};
  REQUIRE(lw::ingest(import_of(moving_picture(picture_of(gap)), folder.path / "a"), wall_of(gap), runs_on).has_value());
  CHECK(lw::is_store((folder.path / "a/x").string()));
  CHECK_FALSE(lw::is_store((folder.path / "a").string()));
  const auto facts = lw::probe(import_of((folder.path / "a/x").string(), {}), wall_of(other), runs_on);
  REQUIRE(facts.has_value());
  CHECK(facts->width == 48);
  CHECK(facts->frames == 3U);
  CHECK(facts->input_bytes == std::uint64_t{3} * 2 * 20 * 16 * 3);
  CHECK_FALSE(facts->preview.empty());
  CHECK(std::abs(facts->hidden - 8.0 / 48) < 1e-9);
  auto same = import_of((folder.path / "a/x").string(), folder.path / "b");
  REQUIRE(lw::ingest(same, wall_of(gap), runs_on).has_value());
  check_same_frames(folder.path / "a/x", folder.path / "b/x");
}

TEST_CASE("the share of a wall that the store's bezels hide") {
  const lw::Grid store{.columns = 2, .rows = 2, .tile_width = 40, .tile_height = 40, .bezel_x = 20, .bezel_y = 20};
  const auto share = [&](const lw::Grid& grid, lw::Fit fit) {
    return lw::hidden_share(store, wall_of(grid), fit, false);
  };
  CHECK(share(store, lw::Fit::fit) == Approx(0).margin(1e-12));
  const lw::Grid whole{.columns = 1, .rows = 1, .tile_width = 100, .tile_height = 100};
  CHECK(share(whole, lw::Fit::fit) == Approx(0.36));
  const lw::Grid half{.columns = 1, .rows = 1, .tile_width = 50, .tile_height = 50};
  CHECK(share(half, lw::Fit::fit) == Approx(0.36));
  CHECK(share(half, lw::Fit::exact) == Approx((2500 - 4.0 * 15 * 15) / 2500));  // the middle
  const lw::Grid wide{.columns = 1, .rows = 1, .tile_width = 200, .tile_height = 100};
  CHECK(share(wide, lw::Fit::fit) == Approx(0.18));  // the borders are not the bezels'
}
