#include "ingest/ingest.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "common/store/store_files.h"
#include "ingest/verify.h"
#include "tests/support/store_folder.h"
#include "tests/unit/ingest/counting_film.h"

namespace {

namespace fs = std::filesystem;
const std::atomic<bool> never{false};

lw::Wall small_wall() {
  lw::Wall wall;
  wall.set_grid({.columns = 3, .rows = 1, .tile_width = 22, .tile_height = 14, .bezel_x = 3});
  lw::WallNode node;
  node.name = "node";
  node.address = "127.0.0.1";
  for (unsigned tile = 0; tile < 3; ++tile) node.tiles.push_back({{tile}, {}, 0, 0});
  wall.nodes = {node};
  wall.frame_rate = {30, 1};
  return wall;
}

lw::IngestOptions options_of(const std::string& input, const fs::path& out) {
  lw::IngestOptions options;
  options.input = input;
  options.out = {out};
  options.name = "x";
  options.json = true;
  return options;
}

char colour(unsigned x, unsigned y, unsigned channel, unsigned frame) {
  return static_cast<char>(x * 3 + y * 7 + channel * 50 + frame * 11);
}

void write_ppm(const fs::path& file, unsigned width, unsigned height, unsigned frame) {
  std::ofstream out(file, std::ios::binary);
  out << "P6\n" << width << ' ' << height << "\n255\n";
  for (unsigned y = 0; y < height; ++y)
    for (unsigned x = 0; x < width; ++x)
      for (unsigned c = 0; c < 3; ++c) out.put(colour(x, y, c, frame));
}

}  // namespace

TEST_CASE("images of the wall's size are stored pixel for pixel, without what bezels hide") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  for (unsigned frame = 0; frame < 3; ++frame)
    write_ppm(folder.path / "in" / ("f" + std::to_string(frame + 9) + ".ppm"), 72, 14, frame);
  const auto summary = lw::ingest(options_of((folder.path / "in").string(), folder.path), small_wall(), never);
  REQUIRE(summary.has_value());
  CHECK(summary->frames == 3);
  const auto store = lw::load_store(folder.path / "x");
  REQUIRE(store.has_value());
  CHECK(lw::fits(*store, small_wall()).has_value());
  CHECK(store->frame_rate == lw::FrameRate{30, 1});
  CHECK(fs::file_size(folder.path / "x" / store->poster) > 100);
  CHECK(store->thumbnail_count == 3);
  std::ifstream file(folder.path / "x/tile-2-0.npy", std::ios::binary);
  file.seekg(4096 + 4096);  // frame 1
  bool same = true;
  for (unsigned y = 0; y < 14; ++y)
    for (unsigned x = 0; x < 22; ++x)
      for (unsigned c = 0; c < 3; ++c) same = same && static_cast<char>(file.get()) == colour(x + 50, y, c, 1);
  CHECK(same);
  CHECK(lw::verify(folder.path / "x", true, never)->damaged == 0);
}

TEST_CASE("test sources are taken at their own rate, or at another") {
  const StoreFolder folder;
  auto options = options_of("lavfi:testsrc2=size=72x14:rate=20:duration=1", folder.path);
  CHECK(lw::ingest(options, small_wall(), never)->frames == 20);
  CHECK(lw::load_store(folder.path / "x")->frame_rate == lw::FrameRate{20, 1});
  options.overwrite = true;
  options.rate = "wall";
  CHECK(lw::ingest(options, small_wall(), never)->frames == 30);
  options.duration = 0.5;
  options.format = lw::PixelFormat::ycbcr422_8;
  CHECK(lw::ingest(options, small_wall(), never).has_error());  // the bezel is odd
  auto even = small_wall();
  auto grid = even.grid;
  grid.bezel_x = 4;
  even.set_grid(grid);
  CHECK(lw::ingest(options, even, never)->frames == 15);
  CHECK(lw::load_store(folder.path / "x")->pixel_format == lw::PixelFormat::ycbcr422_8);
}

TEST_CASE("--start skips frames") {
  const StoreFolder folder;
  auto options = options_of("lavfi:testsrc2=size=72x14:rate=20:duration=1", folder.path);
  options.start = 0.5;
  CHECK(lw::ingest(options, small_wall(), never)->frames == 10);
}

TEST_CASE("a stopped ingest can continue later") {
  const StoreFolder folder;
  const auto options = options_of("lavfi:testsrc2=size=72x14:rate=20:duration=1", folder.path);
  const std::atomic<bool> at_once{true};
  const auto stopped = lw::ingest(options, small_wall(), at_once);
  REQUIRE(stopped.has_value());
  CHECK(stopped->interrupted);
  CHECK_FALSE(fs::exists(folder.path / "x"));
  CHECK(fs::exists(folder.path / ".x.partial"));
  CHECK(lw::ingest(options, small_wall(), never)->frames == 20);
  CHECK_FALSE(fs::exists(folder.path / ".x.partial"));
}

TEST_CASE("input that cannot be ingested leaves no store, and the error says why") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  for (unsigned frame = 0; frame < 3; ++frame)
    write_ppm(folder.path / "in" / ("f" + std::to_string(frame) + ".ppm"), 72, 14, frame);
  std::ofstream(folder.path / "text.mp4") << "not a video";
  fs::create_directory(folder.path / "out");
  const auto refused = [&](const std::string& input, const std::string& reason) {
    const auto result = lw::ingest(options_of(input, folder.path / "out"), small_wall(), never);
    CAPTURE(input);
    REQUIRE(result.has_error());
    CHECK(result.error().what.find(reason) != std::string::npos);
    CHECK(fs::is_empty(folder.path / "out"));
  };
  refused((folder.path / "absent.mov").string(), "absent.mov");
  refused((folder.path / "text.mp4").string(), "text.mp4");
  refused("lavfi:testsrc2=size=72x14", "no end");
  refused("lavfi:nosuchsource=1", "nosuchsource");
  fs::resize_file(folder.path / "in/f1.ppm", 200);
  refused((folder.path / "in").string(), "f1.ppm");
}

namespace {

std::string bytes_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// Every file but those with the store's random id.
void check_same_bytes(const fs::path& one, const fs::path& other) {
  unsigned files = 0;
  for (const auto& entry : fs::directory_iterator(one)) {
    const auto name = entry.path().filename();
    if (name == "visualization.json" || name == "stripe.json") continue;
    CAPTURE(name.string());
    CHECK(bytes_of(entry.path()) == bytes_of(other / name));
    ++files;
  }
  CHECK(files >= 3);  // a tile each
  CHECK(std::distance(fs::directory_iterator(one), {}) == std::distance(fs::directory_iterator(other), {}));
}

struct Sharded {
  StoreFolder single, a, b;
  lw::IngestOptions options = options_of("lavfi:testsrc2=size=72x14:rate=20:duration=1.15", {});

  Sharded() {
    options.out = {a.path, b.path};
    options.frames_max = 23;  // a test source does not state its number of frames
  }
  lw::Result<lw::IngestSummary> shard(unsigned number, unsigned count, const std::atomic<bool>& stop = never) {
    auto part = options;
    part.shard = lw::Shard{number, count};
    return lw::ingest(part, small_wall(), stop);
  }
  lw::Result<lw::IngestSummary> join() { return lw::join_shards(options, small_wall(), never); }
  // The same by one process.
  void check_store() {
    auto alone = options;
    fs::create_directory(single.path / "b");
    alone.out = {single.path, single.path / "b"};
    REQUIRE(lw::ingest(alone, small_wall(), never).has_value());
    check_same_bytes(single.path / "x", a.path / "x");
    check_same_bytes(single.path / "b/x", b.path / "x");
    auto one = *lw::load_store(single.path / "x");
    const auto joined = *lw::load_store(a.path / "x");
    one.id = joined.id;
    one.stripes = joined.stripes;
    CHECK(to_json_text(one) == to_json_text(joined));
    CHECK(lw::verify(a.path / "x", true, never)->damaged == 0);
    for (const auto& disk : {a.path, b.path}) CHECK_FALSE(fs::exists(disk / ".x.partial"));
  }
};

}  // namespace

TEST_CASE("shards in any order make the bytes of one import") {
  Sharded test;
  SECTION("four") {
    std::uint32_t frames = 0;
    for (const unsigned number : {3U, 1U, 4U, 2U}) frames += test.shard(number, 4)->frames;
    CHECK(frames == 23);
  }
  SECTION("as many as frames") {
    for (unsigned number = 23; number > 0; --number) CHECK(test.shard(number, 23)->frames == 1);
  }
  SECTION("more than frames") {
    for (unsigned number = 1; number <= 30; ++number) CHECK(test.shard(number, 30)->frames <= 1);
  }
  SECTION("converted to another rate") {
    test.options.rate = "30";
    test.options.frames_max = 34;
    for (unsigned number = 1; number <= 3; ++number) REQUIRE(test.shard(number, 3).has_value());
  }
  SECTION("of a part of the source") {
    test.options.frames_max = 17;
    test.options.start = 0.2;
    for (unsigned number = 1; number <= 3; ++number) REQUIRE(test.shard(number, 3).has_value());
  }
  SECTION("of a source that is shorter than announced") {
    test.options.frames_max = 40;
    std::vector<std::uint32_t> frames;
    for (unsigned number = 1; number <= 4; ++number) frames.push_back(test.shard(number, 4)->frames);
    CHECK(frames == std::vector<std::uint32_t>{10, 10, 3, 0});
  }
  SECTION("of frames that lie as packets, in two copies") {
    test.options.packets = 1500;
    test.options.copies = 2;
    for (unsigned number = 1; number <= 3; ++number) REQUIRE(test.shard(number, 3).has_value());
  }
  const auto joined = test.join();
  REQUIRE(joined.has_value());
  test.check_store();
}

TEST_CASE("images in shards are decoded only where they belong") {
  Sharded test;
  fs::create_directory(test.single.path / "in");
  for (unsigned frame = 0; frame < 7; ++frame)
    write_ppm(test.single.path / "in" / ("f" + std::to_string(frame) + ".ppm"), 72, 14, frame);
  test.options.input = (test.single.path / "in").string();
  test.options.frames_max.reset();
  std::ofstream(test.single.path / "in/f5.ppm") << "damaged";
  REQUIRE(test.shard(1, 2).has_value());
  CHECK(test.shard(2, 2).has_error());
}

TEST_CASE("a shard that was stopped continues, and is not joined before") {
  Sharded test;
  const std::atomic<bool> at_once{true};
  REQUIRE(test.shard(1, 2).has_value());
  CHECK(test.shard(2, 2, at_once)->interrupted);
  const auto early = test.join();
  REQUIRE(early.has_error());
  CHECK(early.error().what.find("2/2") != std::string::npos);
  CHECK(test.shard(1, 2)->resumed == 11);
  REQUIRE(test.shard(2, 2).has_value());
  REQUIRE(test.join().has_value());
  test.check_store();
}

TEST_CASE("shards of another import are replaced, and not joined") {
  Sharded test;
  REQUIRE(test.shard(1, 2).has_value());
  test.options.frames_max = 10;
  CHECK(test.join().has_error());
  for (unsigned number = 1; number <= 3; ++number) CHECK(test.shard(number, 3)->resumed == 0);
  CHECK(lw::ingest(test.options, small_wall(), never).has_error());  // it would throw the shards away
  REQUIRE(test.join().has_value());
  test.check_store();
  CHECK(test.shard(1, 3).has_error());  // the store is there
  CHECK(test.join().has_error());
}

TEST_CASE("a joined frame is what its shard wrote") {
  Sharded test;
  for (unsigned number = 1; number <= 3; ++number) REQUIRE(test.shard(number, 3).has_value());
  std::fstream file(test.a.path / ".x.partial/tile-1-0.npy", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096 + 4 * 4096 + 5);  // frame 9
  file.put('\x7e');
  file.close();
  const auto damaged = test.join();
  REQUIRE(damaged.has_error());
  CHECK(damaged.error().text().find("frame 9 of tile 1") != std::string::npos);
  CHECK(damaged.error().text().find("--shard 2/3") != std::string::npos);
  CHECK(test.join().error().what.find("2/3") != std::string::npos);
  CHECK(test.shard(2, 3)->resumed == 0);
  REQUIRE(test.join().has_value());
  test.check_store();
}

TEST_CASE("a shard whose files were cut begins again") {
  Sharded test;
  REQUIRE(test.shard(2, 2).has_value());
  fs::resize_file(test.b.path / ".x.partial/tile-0-0.npy", 8192);
  CHECK(test.shard(2, 2).has_error());
  CHECK(test.shard(2, 2)->resumed == 0);
}

TEST_CASE("a shard needs the number of frames") {
  Sharded test;
  test.options.frames_max.reset();
  CHECK(test.shard(1, 2).has_error());
  test.options.frames_max = 9;
  CHECK(test.shard(1, 2)->frames == 4);
  CHECK(test.shard(2, 2)->frames == 5);
}

TEST_CASE("the store's bytes do not depend on the number of threads") {
  const StoreFolder folder;
  auto options = options_of("lavfi:testsrc2=size=100x70:rate=20:duration=1.5", folder.path / "one");
  options.rate = "30";
  options.fit = GENERATE(lw::Fit::fit, lw::Fit::stretch);
  options.threads = 1;
  REQUIRE(lw::ingest(options, small_wall(), never)->frames == 45);
  for (const unsigned threads : {2U, 3U, 9U}) {
    options.threads = threads;
    options.out = {folder.path / std::to_string(threads)};
    REQUIRE(lw::ingest(options, small_wall(), never)->frames == 45);
    check_same_bytes(folder.path / "one/x", options.out.front() / "x");
  }
}

TEST_CASE("an import that is stopped at any moments ends with the bytes of one that is not") {
  const StoreFolder folder;
  auto options = options_of("lavfi:testsrc2=size=72x14:rate=60:duration=4", folder.path / "one");
  REQUIRE(lw::ingest(options, small_wall(), never).has_value());
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    options.out = {folder.path / std::to_string(seed)};
    options.threads = 1 + static_cast<unsigned>(random()) % 4;
    lw::IngestSummary summary;
    summary.interrupted = true;
    for (unsigned run = 0; summary.interrupted; ++run) {
      std::atomic<bool> stop{false};
      const auto wait = std::chrono::microseconds(static_cast<unsigned>(random()) % 20'000 * (1 + run));
      const std::jthread stopper([&stop, wait](const std::stop_token& over) {
        const auto end = std::chrono::steady_clock::now() + wait;
        while (!over.stop_requested() && std::chrono::steady_clock::now() < end)
          std::this_thread::sleep_for(std::chrono::microseconds{50});
        stop = !over.stop_requested();
      });
      const auto before = summary.frames;
      summary = lw::ingest(options, small_wall(), stop).value();
      CHECK(summary.resumed == before);
    }
    check_same_bytes(folder.path / "one/x", options.out.front() / "x");
  }
}

TEST_CASE("a damaged image anywhere in a sequence ends the import and is named") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  for (unsigned frame = 0; frame < 12; ++frame)
    write_ppm(folder.path / "in" / fmt::format("f{:02}.ppm", frame), 72, 14, frame);
  for (unsigned damaged = 0; damaged < 12; ++damaged) {
    const auto file = folder.path / "in" / fmt::format("f{:02}.ppm", damaged);
    fs::resize_file(file, 200);
    auto options = options_of((folder.path / "in").string(), folder.path / "out");
    options.threads = 1 + damaged % 4;
    const auto result = lw::ingest(options, small_wall(), never);
    REQUIRE(result.has_error());
    CHECK(result.error().what.find(file.string()) != std::string::npos);
    CHECK(fs::is_empty(folder.path / "out"));
    options.frames_max = damaged;  // the decoders are ahead of the last frame that is wanted
    if (damaged > 0) CHECK(lw::ingest(options, small_wall(), never)->frames == damaged);
    fs::remove_all(folder.path / "out/x");
    write_ppm(file, 72, 14, damaged);
  }
}

TEST_CASE("each server's import holds its tiles, in shards, too, and an unknown server is an error") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  for (unsigned frame = 0; frame < 4; ++frame)
    write_ppm(folder.path / "in" / ("f" + std::to_string(frame) + ".ppm"), 72, 14, frame);
  auto wall = small_wall();
  wall.servers.resize(2);
  wall.servers[0].name = "left";
  wall.servers[0].tiles = {{0}, {1}};
  wall.servers[1].name = "right";
  wall.servers[1].tiles = {{2}};
  const auto options_for = [&](const std::string& server) {
    auto options = options_of((folder.path / "in").string(), folder.path / server);
    options.server = server;
    return options;
  };
  REQUIRE(lw::ingest(options_for("left"), wall, never).has_value());
  for (unsigned number = 1; number <= 2; ++number) {
    auto options = options_for("right");
    options.shard = lw::Shard{number, 2};
    REQUIRE(lw::ingest(options, wall, never).has_value());
  }
  REQUIRE(lw::join_shards(options_for("right"), wall, never).has_value());
  for (const auto& server : wall.servers) {
    const auto store = lw::load_store(folder.path / server.name / "x");
    REQUIRE(store.has_value());
    CHECK(store->tiles == server.tiles);
    CHECK(lw::fits(*store, wall, server).has_value());
    CHECK(lw::verify(folder.path / server.name / "x", true, never)->damaged == 0);
  }
  const auto bytes = [&](const char* server) {
    std::ifstream stream(folder.path / server / "x/checksums.npy", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  CHECK(bytes("left") == bytes("right"));
  // The same at once: each frame is decoded for both.
  auto both = options_of((folder.path / "in").string(), "unused");
  for (const auto& server : wall.servers) both.targets.push_back({server.name, {folder.path / "both" / server.name}});
  CHECK_THAT(lw::ingest(both, wall, never).error().text(), Catch::EndsWith("add --create to make the folder"));
  both.create = true;
  const auto summary = lw::ingest(both, wall, never);
  REQUIRE(summary.has_value());
  CHECK(summary->folders.size() == 2);
  for (const auto& server : wall.servers)
    for (const auto& entry : fs::directory_iterator(folder.path / server.name / "x")) {
      if (entry.path().extension() == ".json") continue;
      INFO(entry.path());
      std::ifstream one(entry.path(), std::ios::binary);
      std::ifstream other(folder.path / "both" / server.name / "x" / entry.path().filename(), std::ios::binary);
      CHECK(std::string(std::istreambuf_iterator<char>(one), {}) ==
            std::string(std::istreambuf_iterator<char>(other), {}));
    }
  // What a probe announces for each server is what its store takes.
  std::uint64_t announced = 0;
  for (const auto& server : wall.servers) {
    const auto facts = lw::probe(options_for(server.name), wall, never);
    REQUIRE(facts.has_value());
    CHECK(facts->bytes.value() < summary->bytes);
    announced += *facts->bytes;
  }
  CHECK(announced == summary->bytes);
  CHECK(lw::probe(both, wall, never)->bytes == announced);
  both.targets[1].out = both.targets[0].out;
  CHECK(lw::ingest(both, wall, never).has_error());
  const auto unknown = lw::ingest(options_for("middle"), wall, never);
  REQUIRE(unknown.has_error());
  CHECK(unknown.error().mend.find("left, right") != std::string::npos);
}

std::vector<std::int32_t> sound_of(const fs::path& store) {
  const auto files = lw::open_store_files(store);
  REQUIRE(files.has_value());
  REQUIRE(files->sound.has_value());
  std::vector<std::int32_t> samples(files->sound->samples * files->sound->channels);
  std::ifstream file(files->sound->path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(files->sound->header_bytes));
  file.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(samples.size() * sizeof(samples[0])));
  CHECK(file.good());
  return samples;
}

TEST_CASE("sound is kept for exactly the time of the frames, from the first one on") {
  const StoreFolder folder;
  auto options = options_of(lw::test::counting_film(folder.path), folder.path);
  const auto law = [&](std::int64_t first, std::size_t count) {
    const auto samples = sound_of(folder.path / "x");
    REQUIRE(samples.size() == 2 * count);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = first + static_cast<std::int64_t>(i);
      const auto expected = at < 43'200 ? static_cast<std::int32_t>(at * 32'768) : 0;  // silence after its end
      if (samples[2 * i] != expected || samples[2 * i + 1] != -expected) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(lw::verify(folder.path / "x", true, never)->damaged == 0);
  };
  REQUIRE(lw::ingest(options, small_wall(), never).has_value());
  CHECK(lw::load_store(folder.path / "x")->audio->channels == 2);
  law(0, 48'000);
  options.overwrite = true;
  options.start = 0.5;
  options.frames_max = 6;
  REQUIRE(lw::ingest(options, small_wall(), never).has_value());
  law(24'000, 6 * 2400);
  // A file that changes afterwards is found.
  {
    std::fstream file(folder.path / "x/audio.npy", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('\x55');
  }
  CHECK(lw::verify(folder.path / "x", true, never)->damaged == 1);
  fs::resize_file(folder.path / "x/audio.npy", 5000);
  CHECK(lw::load_store(folder.path / "x").has_error());
}

TEST_CASE("sound can be left, and a store without it is one of version 1") {
  const StoreFolder folder;
  auto options = options_of(lw::test::counting_film(folder.path), folder.path);
  options.no_sound = true;
  REQUIRE(lw::ingest(options, small_wall(), never).has_value());
  CHECK_FALSE(lw::load_store(folder.path / "x")->audio.has_value());
  CHECK_FALSE(fs::exists(folder.path / "x/audio.npy"));
  std::ifstream manifest(folder.path / "x/visualization.json");
  std::string text;
  std::getline(manifest, text);
  std::getline(manifest, text);
  CHECK(text == "  \"version\": 1,");
  options.out.clear();
  CHECK_FALSE(lw::probe(options, small_wall(), never)->keeps_sound);
  CHECK(lw::probe(options, small_wall(), never)->sound_channels == 2);
}

TEST_CASE("an interrupted import, shards and several stores keep the same sound") {
  const StoreFolder folder;
  const auto film = lw::test::counting_film(folder.path);
  REQUIRE(lw::ingest(options_of(film, folder.path), small_wall(), never).has_value());
  const auto whole = sound_of(folder.path / "x");
  auto options = options_of(film, folder.path);
  options.name = "again";
  const std::atomic<bool> at_once{true};
  CHECK(lw::ingest(options, small_wall(), at_once)->interrupted);
  REQUIRE(lw::ingest(options, small_wall(), never).has_value());
  CHECK(sound_of(folder.path / "again") == whole);
  options.name = "sharded";
  options.frames_max = 20;
  for (const unsigned number : {2U, 1U}) {
    options.shard = lw::Shard{number, 2};
    REQUIRE(lw::ingest(options, small_wall(), never).has_value());
  }
  options.shard.reset();
  REQUIRE(lw::join_shards(options, small_wall(), never).has_value());
  CHECK(sound_of(folder.path / "sharded") == whole);
}

TEST_CASE("a probe says what an import would read and write, and writes nothing") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  for (unsigned frame = 0; frame < 3; ++frame)
    write_ppm(folder.path / "in" / ("f" + std::to_string(frame) + ".ppm"), 72, 14, frame);
  auto options = options_of((folder.path / "in").string(), folder.path / "store");
  options.out.clear();
  const auto facts = lw::probe(options, small_wall(), never);
  REQUIRE(facts.has_value());
  CHECK(facts->name == "x");
  CHECK(facts->width == 72);
  CHECK(facts->height == 14);
  CHECK(facts->frames == 3U);
  CHECK(facts->input_bytes == 3U * (std::string("P6\n72 14\n255\n").size() + 72U * 14 * 3));
  CHECK(facts->sound_channels == 0);
  CHECK(facts->preview.starts_with("\xff\xd8\xff"));
  CHECK(!fs::exists(folder.path / "store"));
  // The pixels that it announces are those that the import writes.
  options.out = {folder.path};
  const auto summary = lw::ingest(options, small_wall(), never);
  REQUIRE(summary.has_value());
  CHECK(facts->bytes == summary->bytes);
  options.input = (folder.path / "no-such.mp4").string();
  CHECK_FALSE(lw::probe(options, small_wall(), never).has_value());
}
