#include "common/store/manifest.h"
#include "common/store/store_text_limits.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "common/store/npy_header.h"
#include "common/store/store_files.h"
#include "common/store/stripe_layout.h"
#include "tests/support/store_folder.h"

namespace {

namespace fs = std::filesystem;

lw::Manifest small_manifest() {
  lw::Manifest m;
  m.name = "waves";
  m.title = "Waves";
  m.description = "Two \"waves\"";
  m.tags = {"blue", "calm"};
  m.source = "waves.mov";
  m.geometry = {2, 1, 6, 5, 3, 0};
  m.pixel_format = lw::PixelFormat::ycbcr422_10;
  m.frame_rate = {30000, 1001};
  m.frame_count = 3;
  m.stripes = {".", "other"};
  m.checksums = "checksums.npy";
  m.poster = "poster.jpg";
  m.thumbnails = "thumbnails.jpg";
  m.thumbnail_count = 3;
  return m;
}

void write_store(const fs::path& folder, const lw::Manifest& m) {
  const lw::StripeLayout layout(m);
  for (unsigned stripe = 0; stripe < m.stripes.size(); ++stripe)
    for (unsigned tile = 0; tile < 2; ++tile) {
      const auto file = lw::stripe_file(folder, m, stripe, {tile});
      fs::create_directories(file.parent_path());
      std::ofstream(file) << layout.header(stripe, {tile});
      fs::resize_file(file, layout.file_bytes(stripe, {tile}));
    }
  std::ofstream(folder / lw::manifest_file_name) << lw::to_json_text(m);
}

void refused(const fs::path& folder, std::string_view reason) {
  const auto loaded = lw::load_store(folder);
  REQUIRE(loaded.has_error());
  CAPTURE(loaded.error().text());
  CHECK(loaded.error().what.find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("a manifest is read back as written") {
  const auto m = small_manifest();
  const auto read = lw::parse_manifest(lw::to_json_text(m), "visualization.json");
  REQUIRE(read.has_value());
  CHECK(read->title == m.title);
  CHECK(read->description == m.description);
  CHECK(read->tags == m.tags);
  CHECK(read->source == m.source);
  CHECK(read->geometry == m.geometry);
  CHECK(read->pixel_format == m.pixel_format);
  CHECK(read->frame_rate == m.frame_rate);
  CHECK(read->frame_count == m.frame_count);
  CHECK(read->stripes == m.stripes);
  CHECK(read->checksums == m.checksums);
  CHECK(read->poster == m.poster);
  CHECK(read->thumbnails == m.thumbnails);
  CHECK(read->thumbnail_count == m.thumbnail_count);
}

TEST_CASE("a manifest with sound is of version 2, and read back as written") {
  auto m = small_manifest();
  m.audio = lw::SoundTrack{"audio.npy", 6, "0123456789abcdef"};
  const auto text = lw::to_json_text(m);
  CHECK(nlohmann::json::parse(text)["version"] == 2);
  CHECK(lw::parse_manifest(text, "v")->audio == m.audio);
  const auto refuses = [&](const char* pointer, const nlohmann::json& value, const std::string& reason) {
    auto object = nlohmann::json::parse(text);
    object[nlohmann::json::json_pointer(pointer)] = value;
    const auto parsed = lw::parse_manifest(object.dump(), "v");
    REQUIRE(parsed.has_error());
    CHECK_THAT(parsed.error().what, Catch::Contains(reason));
  };
  refuses("/audio", 5, "audio must be an object");
  refuses("/audio/channels", 0, "from 1 to 8");
  refuses("/audio/channels", 9, "from 1 to 8");
  refuses("/audio/file", "", "must not be empty");
  refuses("/audio/file", "../audio.npy", "without a folder");
  refuses("/audio/checksum", "xyz", "16 lower-case hex digits");
  refuses("/audio/rate", 44'100, "unknown member");
  refuses("/version", 1, "unknown member");
}

TEST_CASE("names that are not UTF-8 do not stop a manifest from being written") {
  auto m = small_manifest();
  m.source = "caf\xe9.mov";
  CHECK(lw::parse_manifest(lw::to_json_text(m), "v").has_value());
}

TEST_CASE("a wrong manifest is refused, naming file and member") {
  const auto good = nlohmann::json::parse(lw::to_json_text(small_manifest()));
  const auto refuses = [&](const char* pointer, const nlohmann::json& value, std::string_view reason) {
    auto object = good;
    if (value.is_null())
      object.erase(pointer + 1);
    else
      object[nlohmann::json::json_pointer(pointer)] = value;
    const auto parsed = lw::parse_manifest(object.dump(), "v.json");
    CAPTURE(pointer, value.dump());
    REQUIRE(parsed.has_error());
    CAPTURE(parsed.error().text());
    CHECK(parsed.error().what.rfind("v.json", 0) == 0);
    CHECK(parsed.error().what.find(reason) != std::string::npos);
  };
  refuses("/version", 3, "version");
  refuses("/tiles", {{0, 0}}, "tiles");  // of version 2
  refuses("/title", nullptr, "title");
  refuses("/title", 5, "title");
  refuses("/title", std::string(lw::StoreTextLimits::title + 1, 't'), "title");
  refuses("/description", std::string(lw::StoreTextLimits::description + 1, 'd'), "description");
  refuses("/tags", std::vector<std::string>(lw::StoreTextLimits::tags + 1, "t"), "tags");
  refuses("/tags", std::vector<std::string>{std::string(lw::StoreTextLimits::tag + 1, 't')}, "tags");
  refuses("/source", std::string(lw::StoreTextLimits::source + 1, 's'), "source");
  refuses("/poster", std::string(lw::StoreTextLimits::name + 1, 'p'), "poster");
  refuses("/tags", {1, 2}, "tags");
  refuses("/frames", 0, "frames");
  refuses("/frames", -1, "frames");
  refuses("/frames", 18446744073709551615ULL, "frames");
  refuses("/frames", 1.5, "frames");
  refuses("/frame_rate", "0", "0");
  refuses("/pixel_format", "rgb9", "rgb9");
  refuses("/geometry", "big", "geometry");
  refuses("/geometry/columns", 0, "columns");
  refuses("/geometry/tile_width", 40'000, "tile_width");
  refuses("/geometry/tile_width", 7, "odd");
  refuses("/geometry/depth", 1, "depth");
  refuses("/stripes", nlohmann::json::array(), "stripes");
  refuses("/poster", "../../etc/passwd", "folder");
  refuses("/colour", "red", "colour");
  auto large = small_manifest();
  large.stripes.assign(257, "x");
  CHECK(lw::parse_manifest(lw::to_json_text(large), "v.json").has_error());
  large = small_manifest();
  large.geometry.columns = 1025;
  CHECK(lw::parse_manifest(lw::to_json_text(large), "v.json").has_error());
  CHECK(lw::parse_manifest("", "v.json").has_error());
  CHECK(lw::parse_manifest("[1]", "v.json").has_error());
  CHECK(lw::parse_manifest(std::string(100'000, '['), "v.json").has_error());
}

TEST_CASE("a complete store is loaded, and named after its folder") {
  const StoreFolder folder;
  const auto store = folder.path / "waves";
  write_store(store, small_manifest());
  const auto loaded = lw::load_store(store);
  REQUIRE(loaded.has_value());
  CHECK(loaded->name == "waves");
  CHECK(lw::load_store(store / "")->name == "waves");
}

TEST_CASE("a store is refused when a part is missing, short or of another shape") {
  const StoreFolder folder;
  const auto store = folder.path / "waves";
  const auto m = small_manifest();
  refused(store, "cannot read");
  write_store(store, m);
  const auto file = lw::stripe_file(store, m, 1, {1});

  SECTION("one byte of the last frame") {
    const lw::StripeLayout layout(m);
    // The padding after the last frame may be missing, but not its pixels.
    const auto pixels_end = layout.file_bytes(1, {1}) - (layout.record_bytes({1}) - layout.frame_bytes({1}));
    fs::resize_file(file, pixels_end);
    CHECK(lw::load_store(store).has_value());
    fs::resize_file(file, pixels_end - 1);
    refused(store, "ends after");
  }
  SECTION("a stripe file") {
    fs::remove(file);
    refused(store, file.filename().string());
  }
  SECTION("a stripe file of a taller tile") {
    std::fstream(file, std::ios::in | std::ios::out) << lw::npy_header({2, 6, 15, 4006});
    refused(store, "6 rows");
  }
  SECTION("a stripe file of something else") {
    std::fstream(file, std::ios::in | std::ios::out) << "garbage";
    refused(store, "not a .npy file");
  }
  SECTION("the end of the manifest") {
    const auto text = lw::to_json_text(m);
    std::ofstream(store / lw::manifest_file_name) << text.substr(0, text.size() / 2);
    refused(store, "JSON");
  }
}

TEST_CASE("a store made for another wall does not fit") {
  const auto m = small_manifest();
  lw::Wall wall;
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 6, .tile_height = 5, .bezel_x = 3});
  CHECK(lw::fits(m, wall).has_value());
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 6, .tile_height = 5, .bezel_x = 4});
  const auto other = lw::fits(m, wall);
  REQUIRE(other.has_error());
  CHECK_FALSE(other.error().mend.empty());
}

TEST_CASE("a store of blocks does not fit a wall whose flows have fewer rows than a block") {
  auto m = small_manifest();
  m.pixel_format = lw::PixelFormat::bc7;
  lw::Wall wall;
  wall.set_grid(m.geometry);
  wall.streaming.flows_per_tile = 2;  // one row of blocks begins in each
  CHECK(lw::fits(m, wall).has_value());
  wall.streaming.flows_per_tile = 3;
  const auto refused = lw::fits(m, wall);
  REQUIRE(refused.has_error());
  CHECK(refused.error().text().find("flows_per_tile") != std::string::npos);
  m.pixel_format = lw::PixelFormat::rgb8;
  CHECK(lw::fits(m, wall).has_value());
}

namespace {

// Of version 2, holding only the right one of two tiles.
lw::Manifest right_part() {
  auto m = small_manifest();
  m.tiles = {{1}};
  return m;
}

}  // namespace

TEST_CASE("a manifest lists the tiles that its store holds, unless these are all") {
  const auto text = lw::to_json_text(right_part());
  const auto part = lw::parse_manifest(text, "v");
  REQUIRE(part.has_value());
  CHECK(part->tiles == std::vector<lw::TileIndex>{{1}});
  CHECK(!part->holds({0}));
  CHECK(part->holds({1}));
  CHECK(lw::to_json_text(*part) == text);
  auto object = nlohmann::json::parse(text);
  CHECK(object["version"] == 2);
  CHECK(object["tiles"] == nlohmann::json({{1, 0}}));
  // All tiles, in any order, are a complete store, which other versions of the programs can read.
  object["tiles"] = {{1, 0}, {0, 0}};
  const auto complete = lw::parse_manifest(object.dump(), "v");
  REQUIRE(complete.has_value());
  CHECK(lw::to_json_text(*complete) == lw::to_json_text(small_manifest()));
  object.erase("tiles");
  CHECK(lw::parse_manifest(object.dump(), "v")->holds({0}));
}

TEST_CASE("wrong lists of tiles are refused") {
  const auto good = nlohmann::json::parse(lw::to_json_text(right_part()));
  const nlohmann::json wrong[]{
      nlohmann::json::array(),
      7,
      {{0, 0}, {0, 0}},
      {{2, 0}},
      {{0, 1}},
      {{-1, 0}},
      {{0.5, 0}},
      {{0}},
      {{0, 0, 0}},
      {0, 0},
      nlohmann::json(std::vector<std::vector<int>>(lw::StoreTextLimits::tiles + 1, {0, 0})),
  };
  for (const auto& tiles : wrong) {
    auto object = good;
    object["tiles"] = tiles;
    CAPTURE(tiles.dump().substr(0, 80));
    const auto parsed = lw::parse_manifest(object.dump(), "v.json");
    REQUIRE(parsed.has_error());
    CHECK(parsed.error().what.rfind("v.json: tiles ", 0) == 0);
  }
  // Parts of different editions could not be distinguished.
  auto object = good;
  object["checksums"] = "";
  CHECK(lw::parse_manifest(object.dump(), "v.json").has_error());
}

TEST_CASE("a store needs the files of the tiles that it holds, and no others") {
  const StoreFolder folder;
  const auto store = folder.path / "waves";
  const auto m = right_part();
  write_store(store, m);
  for (unsigned stripe = 0; stripe < 2; ++stripe) fs::remove(lw::stripe_file(store, m, stripe, {0}));
  CHECK(lw::load_store(store).has_value());
  const auto files = lw::open_store_files(store);
  REQUIRE(files.has_value());
  CHECK_FALSE(files->files[0].file);
  CHECK(files->files[1].file);
  fs::remove(lw::stripe_file(store, m, 1, {1}));
  refused(store, "tile-1-0.npy");
}

TEST_CASE("a server plays a store that holds its tiles; otherwise the error names the missing ones") {
  lw::Wall wall;
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 6, .tile_height = 5, .bezel_x = 3});
  wall.servers.resize(2);
  wall.servers[0].name = "left";
  wall.servers[0].tiles = {{0}};
  wall.servers[1].name = "right";
  wall.servers[1].tiles = {{1}};
  for (const auto& server : wall.servers) CHECK(lw::fits(small_manifest(), wall, server).has_value());
  CHECK(lw::fits(right_part(), wall, wall.servers[1]).has_value());
  const auto left = lw::fits(right_part(), wall, wall.servers[0]);
  REQUIRE(left.has_error());
  CHECK(left.error().what == "the store lacks tiles that server left sends: (0, 0)");
  CHECK(left.error().mend.find("wall-ingest --server left") != std::string::npos);
  wall.servers[1].tiles.clear();  // sends all
  CHECK(lw::fits(right_part(), wall, wall.servers[1]).has_error());
}

TEST_CASE("parts of one visualization have different frames on their disks") {
  CHECK_FALSE(lw::has_same_frames(right_part(), small_manifest()));
  CHECK(lw::StripeLayout(right_part()).record_bytes_held() * 2 ==
        lw::StripeLayout(small_manifest()).record_bytes_held());
}

TEST_CASE("a manifest says that frames lie as packets") {
  auto m = small_manifest();
  m.packets = 1408;
  m.bands = 2;
  const auto parsed = lw::parse_manifest(lw::to_json_text(m), "v.json");
  REQUIRE(parsed.has_value());
  CHECK((parsed->packets == 1408 && parsed->bands == 2));
  CHECK_FALSE(lw::has_same_frames(m, small_manifest()));
  CHECK((lw::lies_as_sent(m, 1408, 2) && !lw::lies_as_sent(m, 1408, 1) && !lw::lies_as_sent(small_manifest(), 0, 1)));
  auto object = nlohmann::json::parse(lw::to_json_text(m));
  CHECK(object["version"] == 2);
  for (const auto& [packets, bands] : {std::pair<int, int>{1400, 2}, {0, 2}, {65'536, 2}, {1408, 0}, {1408, 17}}) {
    object["packets"] = packets;
    object["bands"] = bands;
    CAPTURE(packets, bands);
    CHECK(lw::parse_manifest(object.dump(), "v.json").has_error());
  }
  object.erase("packets");
  CHECK(lw::parse_manifest(object.dump(), "v.json").error().what.find("bands") != std::string::npos);
}

TEST_CASE("a manifest says how many copies of a frame its store has, if it has more than one") {
  auto m = small_manifest();
  CHECK_FALSE(nlohmann::json::parse(lw::to_json_text(m)).contains("copies"));
  m.copies = 2;
  auto object = nlohmann::json::parse(lw::to_json_text(m));
  CHECK(object["version"] == 2);
  CHECK(object["copies"] == 2);
  CHECK(lw::parse_manifest(object.dump(), "v.json")->copies == 2);
  CHECK_FALSE(lw::has_same_frames(m, small_manifest()));
  object["copies"] = 1;
  CHECK(lw::parse_manifest(object.dump(), "v.json")->copies == 1);
  for (const auto& wrong : {nlohmann::json(0), nlohmann::json(3), nlohmann::json("2")}) {
    object["copies"] = wrong;
    CHECK_FALSE(lw::parse_manifest(object.dump(), "v.json").has_value());
  }
  object["copies"] = 2;
  object["stripes"] = {"."};
  CHECK_FALSE(lw::parse_manifest(object.dump(), "v.json").has_value());
  object["stripes"] = {".", "other"};
  object["version"] = 1;
  CHECK_FALSE(lw::parse_manifest(object.dump(), "v.json").has_value());
}

TEST_CASE("a manifest says which colours its store has, unless these are SDR of BT.709") {
  auto m = small_manifest();
  CHECK_FALSE(nlohmann::json::parse(lw::to_json_text(m)).contains("colour"));
  for (const auto primaries : lw::all_primaries)
    for (const auto transfer : lw::all_transfers) {
      m.colour = {primaries, transfer};
      CHECK(lw::parse_manifest(lw::to_json_text(m), "v.json")->colour == m.colour);
      CHECK(lw::has_same_frames(m, small_manifest()) == (m.colour == lw::Colour{}));
    }
  auto object = nlohmann::json::parse(lw::to_json_text(m));
  CHECK(object["version"] == 2);
  CHECK(object["colour"] == "p3");
  CHECK(object["transfer"] == "hlg");
  object["transfer"] = "linear";
  CHECK(lw::parse_manifest(object.dump(), "v.json").error().what == "v.json: unknown transfer 'linear'");
  object["transfer"] = "pq";
  object["version"] = 1;
  CHECK_FALSE(lw::parse_manifest(object.dump(), "v.json").has_value());
}

TEST_CASE("a store plays on walls of its colours only") {
  auto m = small_manifest();
  lw::Wall wall;
  wall.set_grid(m.geometry);
  wall.colour = {lw::Primaries::bt2020, lw::Transfer::pq};
  CHECK_THAT(lw::fits(m, wall).error().what, Catch::Contains("bt709 sdr") && Catch::Contains("bt2020 pq"));
  m.colour = wall.colour;
  CHECK(lw::fits(m, wall).has_value());
}

namespace {

// Tiles of different sizes, of which the store holds one.
lw::Manifest free_manifest() {
  auto m = small_manifest();
  m.geometry = lw::Grid::of({{"wing", {0, 2, 4, 9}}, {"front", {6, 0, 8, 5}}});
  return m;
}

}  // namespace

TEST_CASE("a manifest lists tiles that are described one by one") {
  const auto m = free_manifest();
  const auto object = nlohmann::json::parse(lw::to_json_text(m));
  CHECK(object["version"] == 2);
  CHECK(object["geometry"] == nlohmann::json::parse(R"({"tiles": [
      {"name": "wing", "x": 0, "y": 2, "width": 4, "height": 9},
      {"name": "front", "x": 6, "y": 0, "width": 8, "height": 5}]})"));
  const auto read = lw::parse_manifest(object.dump(), "v");
  REQUIRE(read.has_value());
  CHECK(read->geometry == m.geometry);
  auto part = m;
  part.tiles = {{1}};
  const auto text = lw::to_json_text(part);
  CHECK(nlohmann::json::parse(text)["tiles"] == nlohmann::json::array({"front"}));
  CHECK(lw::parse_manifest(text, "v")->tiles == part.tiles);
}

TEST_CASE("each tile of a store has its own size") {
  auto m = free_manifest();
  m.pixel_format = lw::PixelFormat::rgb8;
  const lw::StripeLayout layout(m);
  CHECK(layout.frame_bytes({0}) == 4 * 9 * 3);
  CHECK(layout.frame_bytes({1}) == 8 * 5 * 3);
  CHECK(layout.frame_bytes_held() == 4 * 9 * 3 + 8 * 5 * 3);
  CHECK(layout.frame_bytes_max() == 8 * 5 * 3);
  m.packets = 1408;
  const lw::StripeLayout packets(m);
  REQUIRE(packets.has_slots());
  CHECK(packets.slots({0})->frame_bytes() == 4 * 9 * 3);
  CHECK(packets.slots({1})->frame_bytes() == 8 * 5 * 3);
  const StoreFolder folder;
  const auto store = folder.path / "waves";
  write_store(store, free_manifest());
  CHECK(fs::exists(store / "wing.npy"));
  CHECK(lw::load_store(store).has_value());
  fs::copy_file(store / "front.npy", store / "wing.npy", fs::copy_options::overwrite_existing);
  refused(store, "wing.npy");
}

TEST_CASE("wrong tiles of a geometry are refused") {
  const auto good = nlohmann::json::parse(lw::to_json_text(free_manifest()));
  const auto changed = [&](auto change) {
    auto object = good;
    change(object);
    return lw::parse_manifest(object.dump(), "v.json");
  };
  CHECK(changed([](auto&) {}).has_value());
  CHECK(changed([](auto& v) { v["geometry"]["tiles"][1]["x"] = 3; }).has_value());  // projectors overlap
  CHECK(changed([](auto& v) { v["geometry"]["tiles"][1]["name"] = "Wing"; }).has_error());
  CHECK(changed([](auto& v) { v["geometry"]["tiles"][1]["name"] = "../x"; }).has_error());
  CHECK(changed([](auto& v) { v["geometry"]["tiles"][1]["width"] = 7; }).has_error());  // not of this format
  CHECK(changed([](auto& v) { v["geometry"]["tiles"][1]["turn"] = 1; }).has_error());
  CHECK(changed([](auto& v) { v["geometry"]["tiles"][1].erase("y"); }).has_error());
  CHECK(changed([](auto& v) { v["geometry"]["tiles"] = nlohmann::json::array(); }).has_error());
  CHECK(changed([](auto& v) { v["geometry"]["tiles"] = 3; }).has_error());
  CHECK(changed([](auto& v) { v["geometry"]["tiles"][0] = 3; }).has_error());
  CHECK(changed([](auto& v) { v["geometry"]["columns"] = 2; }).has_error());
  CHECK(changed([](auto& v) { v["tiles"] = {"front", "front"}; }).has_error());
  CHECK(changed([](auto& v) { v["tiles"] = {"back"}; }).has_error());
  CHECK(changed([](auto& v) { v["tiles"] = {{1, 0}}; }).has_error());
  CHECK(changed([](auto& v) { v["version"] = 1; }).has_error());
}

TEST_CASE("a store of other tiles does not fit, and the error names the first that differs") {
  lw::Wall wall;
  wall.set_grid(free_manifest().geometry);
  CHECK(lw::fits(free_manifest(), wall).has_value());
  auto other = free_manifest();
  other.geometry.free[1].place.width = 10;
  const auto refused = lw::fits(other, wall);
  REQUIRE(refused.has_error());
  CHECK(refused.error().what ==
        "made for a wall with tile 'front' of 10x5 at 6, 0, but this wall has 'front' of 8x5 at 6, 0");
  CHECK(lw::fits(small_manifest(), wall).has_error());
  wall.servers.resize(1);
  wall.servers[0].name = "all";
  auto part = free_manifest();
  part.tiles = {{0}};
  CHECK(lw::fits(part, wall, wall.servers[0]).error().what == "the store lacks tiles that server all sends: front");
}
