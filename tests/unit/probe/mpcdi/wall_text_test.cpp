#include "probe/mpcdi/wall_text.h"

#include "common/wall/wall_file.h"

#include <catch2/catch.hpp>

#include <random>
#include <set>

using namespace lw;

TEST_CASE("names of ids are names of tiles, and unique") {
  std::vector<std::string> used;
  CHECK(name_of_id("Projector 1", used) == "Projector-1");
  CHECK(name_of_id("projector_1", used) == "projector_1");
  CHECK(name_of_id("PROJECTOR 1", used) == "PROJECTOR-1-2");
  CHECK(name_of_id("../../etc/passwd", used) == "p------etc-passwd");
  CHECK(name_of_id("", used) == "p");
  CHECK(name_of_id("Checksums", used) == "pChecksums");
  CHECK(name_of_id("größe", used) == "gr----e");
  std::mt19937_64 random(5);
  std::set<std::string> seen;
  for (int i = 0; i < 500; ++i) {
    std::string id(random() % 90, 'x');
    for (auto& letter : id) letter = random() % 3 == 0 ? static_cast<char>(random()) : 'x';
    const auto name = name_of_id(id, used);
    CHECK((!name.empty() && name.size() <= 64));
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
          std::string::npos);
    CHECK(seen.insert(name).second);
  }
}

TEST_CASE("a wall file of projectors is valid, whatever their names were") {
  const std::string wild = "a\"b\\c\n[[tile]]\t\x01\xff";
  const std::vector<ImportedNode> nodes{
      {"one", {{"left", wild, {0, 0, 1000, 800}, 1000, 800, "left-warp.pfm", "left-blend.png", "left-black.png", 1.8}}},
      {"two", {{"right", "r", {800, 0, 1000, 800}, 1000, 800, {}, {}, {}, 2.2}}}};
  const auto wall = parse_wall(wall_text(wild, wild, nodes), "w.toml");
  if (!wall) FAIL(wall.error().text());
  CHECK(wall->tiles.size() == 2);
  CHECK(wall->nodes.size() == 2);
  CHECK(wall->nodes[0].address == "10.0.0.11");
  const auto& output = wall->nodes[0].tiles[0].output;
  CHECK(output.warp.path.filename() == "left-warp.pfm");
  CHECK(output.blend_map.path.filename() == "left-blend.png");
  CHECK(output.black_lift_map.path.filename() == "left-black.png");
  CHECK(output.blend_gamma == 1.8);
  CHECK_FALSE(wall->nodes[1].tiles[0].output.active());
}
