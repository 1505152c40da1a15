#include "wall-client/sound/sound_dump.h"

#include "common/store/sound_file.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace lw {
namespace {

TEST_CASE("a dump has every sample that was played, and says when") {
  const test::TemporaryFolder folder;
  {
    auto dump = SoundDump::open(folder.path);
    REQUIRE(dump.has_value());
    std::vector<std::int32_t> samples(96);
    for (std::int64_t i = 0; i < 250; ++i) {
      const auto number = i < 200 ? i : i + 50;  // a break
      samples.assign(96, static_cast<std::int32_t>(i * 256));
      const WallTime pts{std::chrono::milliseconds{number}};
      (*dump)->play({number * 48, 2, samples, pts, pts + std::chrono::microseconds{10}, false});
    }
  }
  const auto open = open_folder(folder.path, "");
  const auto sound = open_sound({open->get(), folder.path, ""}, {"sound.npy", 2});
  REQUIRE(sound.has_value());
  CHECK(sound->samples == 250 * 48);
  const auto bytes = folder.read("sound.npy");
  CHECK(bytes.size() == sound->header_bytes + 250 * 48 * 8);
  CHECK(static_cast<unsigned char>(bytes[sound->header_bytes + 249 * 48 * 8 + 1]) == 249);
  std::istringstream lines(folder.read("sound.ndjson"));
  std::vector<nlohmann::json> told;
  for (std::string line; std::getline(lines, line);) told.push_back(nlohmann::json::parse(line));
  REQUIRE(told.size() == 3);  // at 0 and 100 ms, and after the break
  CHECK(told[1]["row"] == 4800);
  CHECK(told[2]["row"] == 9600);
  CHECK(told[2]["sample"] == 250 * 48);
  CHECK(told[2]["pts_ns"] == 250'000'000);
  CHECK(told[2]["played_ns"] == 250'010'000);
}

}  // namespace
}  // namespace lw
