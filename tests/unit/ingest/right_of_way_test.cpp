#include "ingest/right_of_way.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace lw;

namespace {

// A world in which time passes only by sleeping and writing.
struct World {
  LocalTime now{std::chrono::hours{1}};
  std::optional<Playing> playing;
  unsigned yields = 0;
  std::vector<std::string> said;
  std::atomic<bool> stop{false};

  RightOfWay::Ports ports() {
    return {[this] { return now; }, [this](Nanoseconds time) { now += time; },
            [this](const std::filesystem::path&) { return playing; }, [this] { ++yields; },
            [this](const std::string& text) { said.push_back(text); }};
  }
  // Pieces of 1 MB on a disk of 1 GB/s; returns the resulting bytes per second.
  double write(RightOfWay& way, unsigned pieces) {
    const auto begun = now;
    for (unsigned i = 0; i < pieces; ++i) {
      way.before(1'000'000);
      now += std::chrono::milliseconds{1};
      way.after(1'000'000, std::chrono::milliseconds{1});
    }
    return pieces * 1e6 / std::chrono::duration<double>(now - begun).count();
  }
};

constexpr Playing wall_of_64{1, 123'000'000, true};

}  // namespace

TEST_CASE("an ingest gives way from the moment a server plays to the moment it stops") {
  World world;
  RightOfWay way({"/content"}, {}, world.stop, world.ports());
  CHECK(world.write(way, 1000) == Approx(1e9));
  CHECK(world.said.empty());
  world.playing = wall_of_64;
  world.write(way, 300);  // it looks a few times a second
  CHECK(world.write(way, 2000) == Approx(5e8).epsilon(0.01));
  CHECK(way.gives_way());
  CHECK(world.yields == 1);
  REQUIRE(world.said.size() == 1);
  CHECK(world.said[0].find("123.0 MB/s") != std::string::npos);
  CHECK(world.said[0].find("at most 500.0 MB/s") != std::string::npos);
  CHECK(world.said[0].find("--rate") != std::string::npos);
  world.playing.reset();
  world.write(way, 300);
  CHECK(world.write(way, 2000) == Approx(1e9));
  CHECK(world.said.size() == 2);
}

TEST_CASE("before the disk's speed is known, an ingest writes no more than a playing server reads") {
  World world;
  world.playing = wall_of_64;
  RightOfWay way({"/content"}, {}, world.stop, world.ports());
  CHECK(world.write(way, 15) < 1.4e8);
  world.write(way, 100);
  CHECK(*way.limit() == Approx(5e8));
}

TEST_CASE("--rate changes the limit, and max removes it") {
  World world;
  world.playing = wall_of_64;
  RightOfWay limited({"/content"}, parse_write_rate("50MB/s").value(), world.stop, world.ports());
  CHECK(world.write(limited, 500) == Approx(5e7).epsilon(0.01));
  CHECK(world.yields == 1);
  world.playing.reset();
  world.write(limited, 20);
  CHECK(world.write(limited, 500) == Approx(5e7).epsilon(0.01));
  world.playing = wall_of_64;
  RightOfWay rude({"/content"}, parse_write_rate("max").value(), world.stop, world.ports());
  CHECK(world.write(rude, 500) == Approx(1e9));
  CHECK(world.yields == 1);
}

TEST_CASE("cancelling an ingest does not wait for its turn") {
  World world;
  RightOfWay way({"/content"}, WriteRate{1000.0, false}, world.stop, world.ports());
  way.before(1'000'000'000);
  world.stop = true;
  const auto now = world.now;
  way.before(1);
  CHECK(world.now == now);
}

TEST_CASE("the busiest of several disks counts, and directories on one disk add up") {
  World world;
  world.playing = Playing{1, 1'000'000'000, true};
  RightOfWay way({"/", "/"}, {}, world.stop, world.ports());
  world.write(way, 500);
  CHECK(*way.limit() == Approx(2.5e8));
}

TEST_CASE("write rates have a unit") {
  CHECK(parse_write_rate("200MB/s")->bytes_per_second == 2e8);
  CHECK(parse_write_rate("1.5GB/s")->bytes_per_second == 1.5e9);
  CHECK(parse_write_rate("250kB/s")->bytes_per_second == 2.5e5);
  CHECK(parse_write_rate("4096B/s")->bytes_per_second == 4096);
  CHECK(parse_write_rate("max")->unlimited);
  for (const char* wrong :
       {"", "MB/s", "0MB/s", "-5MB/s", "1e400GB/s", "nanMB/s", "infGB/s", "5 MB/s", "200", "200MB", "5TB/s", "1B/s"}) {
    CAPTURE(wrong);
    CHECK(parse_write_rate(wrong).has_error());
  }
  CHECK(is_write_rate("200MB/s"));
  CHECK_FALSE(is_write_rate("30000/1001"));
  CHECK_FALSE(is_write_rate("25"));
}
