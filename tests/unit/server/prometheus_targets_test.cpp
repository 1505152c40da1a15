// The file for Prometheus' service discovery: every server of a wall, with the labels that docs/operations.md names.
#include "server/prometheus_targets.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/temporary_folder.h"

namespace {

using namespace lw;
using lw::test::TemporaryFolder;

Wall wall_of(const std::string& servers) {
  auto wall = parse_wall(R"([wall]
name = "lab \"2\""
columns = 2
rows = 1
tile_width = 64
tile_height = 40
frame_rate = 30
[[node]]
name = "n"
address = "127.0.0.1"
tiles = [{ column = 0, row = 0 }, { column = 1, row = 0 }]
)" + servers,
                         "wall.toml");
  if (!wall) FAIL(wall.error().text());
  return *wall;
}

nlohmann::json written(const Wall& wall) {
  const auto text = prometheus_targets(wall);
  REQUIRE(text.has_value());
  return nlohmann::json::parse(*text);
}

TEST_CASE("a wall on one host is scraped over loopback") {
  const auto targets = written(wall_of("[[server]]\nname = \"s\"\ncontrol = \"127.0.0.1:9011\"\n"));
  CHECK(targets == nlohmann::json::parse(R"([{"targets": ["127.0.0.1:9011"],
    "labels": {"wall": "lab \"2\"", "server": "s", "coordinator": "true"}}])"));
}

TEST_CASE("each of several servers is a target, off loopback over TLS") {
  const auto targets = written(wall_of(R"([[server]]
name = "a"
control = "10.1.0.1:9010"
tiles = [{ column = 0, row = 0 }]
[[server]]
name = "b"
control = "10.1.0.2:9012"
coordinator = true
tiles = [{ column = 1, row = 0 }]
)"));
  CHECK(targets == nlohmann::json::parse(R"([
    {"targets": ["10.1.0.1:9010"],
     "labels": {"wall": "lab \"2\"", "server": "a", "coordinator": "false", "__scheme__": "https"}},
    {"targets": ["10.1.0.2:9012"],
     "labels": {"wall": "lab \"2\"", "server": "b", "coordinator": "true", "__scheme__": "https"}}])"));
}

TEST_CASE("an IPv6 address is in brackets") {
  const auto targets = written(wall_of("[[server]]\nname = \"s\"\ncontrol = \"[::1]:9010\"\n"));
  CHECK(targets[0]["targets"][0] == "[::1]:9010");
}

TEST_CASE("an address that means all addresses is not a target") {
  const auto text = prometheus_targets(wall_of("[[server]]\nname = \"s\"\ncontrol = \"0.0.0.0:9010\"\n"));
  REQUIRE_FALSE(text.has_value());
  CHECK(text.error().text().find("server s listens on all addresses") != std::string::npos);
}

TEST_CASE("the file of targets is replaced, and nothing is left beside it") {
  const TemporaryFolder folder;
  folder.write("targets.json", "old");
  const auto wall = wall_of("[[server]]\nname = \"s\"\n");
  REQUIRE(write_prometheus_targets(wall, folder.path / "targets.json").has_value());
  CHECK(nlohmann::json::parse(folder.read("targets.json")) == written(wall));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path), {}) == 1);
}

TEST_CASE("a file of targets that cannot be written is an error that names it") {
  const TemporaryFolder folder;
  const auto done =
      write_prometheus_targets(wall_of("[[server]]\nname = \"s\"\n"), folder.path / "nowhere/targets.json");
  REQUIRE_FALSE(done.has_value());
  CHECK(done.error().text().find("nowhere/targets.json") != std::string::npos);
}

}  // namespace
