#include "probe/mpcdi/mpcdi_import.h"

#include "common/wall/wall_file.h"
#include "tests/support/source_folder.h"
#include "tests/unit/probe/mpcdi/mpcdi_maker.h"
#include "wall-client/display/output/grey_map.h"
#include "wall-client/display/output/warp_mesh.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <random>

using namespace lw;
using namespace lw::test;

namespace {

struct Imported {
  std::optional<MpcdiImport> made;
  std::string error;
  std::map<std::string, std::string> files;
};

Imported imported(const std::string& bytes, const MpcdiOptions& options = {}) {
  Imported all;
  auto made = import_mpcdi(bytes, "test", options, [&](const std::string& name, const std::string& content) {
    CHECK(all.files.emplace(name, content).second);
    return Result<void>{};
  });
  if (made) {
    all.made = std::move(*made);
  } else {
    all.error = made.error().text();
    CHECK_FALSE(made.error().mend.empty());
    CHECK(all.error.find('\n') == std::string::npos);
    CHECK_FALSE(all.files.contains("wall.toml"));
  }
  return all;
}

Wall wall_of(const Imported& all) {
  INFO(all.error);
  REQUIRE(all.made.has_value());
  auto wall = parse_wall(all.files.at("wall.toml"), "wall.toml");
  REQUIRE(wall.has_value());
  return *wall;
}

const TilePlacement& shown(const Wall& wall, const std::string& tile) {
  const auto index = *wall.tile_named(tile);
  for (const auto& placement : wall.node_of(index).tiles)
    if (placement.tile == index) return placement;
  throw std::logic_error("shown by no node");
}

std::string file_of_tests(const std::string& name) {
  std::ifstream in(source_folder() / "tests/unit/probe/mpcdi" / name, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  REQUIRE_FALSE(bytes.empty());
  return bytes;
}

// Of the wall, in pixels, that a vertex of a tile's warp shows.
struct Spot {
  double x, y;
};
Spot on_wall(const Wall& wall, const Imported& all, const std::string& tile, unsigned column, unsigned row) {
  const auto& rect = wall.tile(*wall.tile_named(tile)).place;
  const auto mesh = parse_warp_mesh(all.files.at(shown(wall, tile).output.warp.path.filename()));
  REQUIRE(mesh.has_value());
  const auto& place = mesh->at(column, row);
  return {rect.x + static_cast<double>(place.x) * rect.width, rect.y + static_cast<double>(place.y) * rect.height};
}

}  // namespace

TEST_CASE("two projectors become a wall of two tiles that overlap") {
  const auto all = imported(zip(files_of_two_projectors()));
  const auto wall = wall_of(all);
  CHECK(all.made->notes.empty());
  CHECK((all.made->width == 1800 && all.made->height == 800 && all.made->projectors == 2 && all.made->buffers == 1));
  REQUIRE(wall.tiles.size() == 2);
  CHECK((wall.tiles[0].name == "left" && wall.tiles[0].place == Rect{0, 0, 1080, 800}));
  CHECK((wall.tiles[1].name == "right-one" && wall.tiles[1].place == Rect{720, 0, 1080, 800}));
  REQUIRE(wall.nodes.size() == 1);
  CHECK(wall.nodes[0].name == "screen");
  CHECK((shown(wall, "left").monitor == 0U && shown(wall, "right-one").monitor == 1U));
  // What blends a map of gamma 2.2 is light; one of gamma 1 is light already.
  CHECK(shown(wall, "left").output.blend_gamma == 2.2);
  CHECK(parse_grey_map(all.files.at("left-blend.png"))->at(1, 0) == Approx(std::pow(128 / 255.0, 2.2)).margin(1e-4));
  CHECK(shown(wall, "right-one").output.blend_gamma == 2.2);
  CHECK(parse_grey_map(all.files.at("right-one-blend.png"))->at(1, 0) == Approx(128 / 255.0).margin(1e-4));
  CHECK(all.files.contains("right-one-black.png"));
  CHECK(all.files.size() == 6);
}

TEST_CASE("buffers lie beside each other, and become nodes") {
  auto xml = replaced(
      two_projectors, "<region id=\"right one\" x=\"0.4\"",
      "</buffer><buffer id=\"floor\" xResolution=\"1001\" yResolution=\"500\"><region id=\"right one\" x=\"0.4\"");
  auto files = files_of_two_projectors();
  files["mpcdi.xml"] = xml;
  const auto all = imported(zip(files));
  const auto wall = wall_of(all);
  CHECK(wall.nodes.size() == 2);
  CHECK(wall.nodes[1].name == "floor");
  CHECK(wall.tiles[1].place.x == 1800 + 400);
  CHECK(wall.tiles[1].place.height == 500);
  REQUIRE(all.made->notes.size() == 1);
  CHECK(all.made->notes[0].find("tiles have fewer pixels than their projectors; --wall-width ") == 0);
}

TEST_CASE("the wall is as wide as was asked, and nodes have as many projectors") {
  const auto all = imported(zip(files_of_two_projectors()), {.wall_width = 900, .per_node = 1});
  const auto wall = wall_of(all);
  CHECK((all.made->width == 900 && all.made->height == 400));
  REQUIRE(wall.nodes.size() == 2);
  CHECK((wall.nodes[0].name == "screen" && wall.nodes[1].name == "screen-2"));
  CHECK(wall.nodes[0].address != wall.nodes[1].address);
}

TEST_CASE("a buffer without a size gives each projector its pixels") {
  auto files = files_of_two_projectors();
  files["mpcdi.xml"] = replaced(replaced(files["mpcdi.xml"], " xResolution=\"1800\" yResolution=\"800\"", ""),
                                "xResolution=\"1080\"", "xResolution=\"1200\"");
  const auto wall = wall_of(imported(zip(files)));
  CHECK(wall.tiles[0].place == Rect{0, 0, 1200, 800});
}

// The law of an import: what each vertex of each projector shows is the same on the wall as in the MPCDI file.
TEST_CASE("random projectors show the same places after the import") {
  std::mt19937_64 random(23);
  const auto part = [&random](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int round = 0; round < 60; ++round) {
    const bool of_buffer = random() % 3 == 0, second_version = random() % 2 == 0;
    const auto whole = [&random](unsigned low, unsigned high) {
      return std::uniform_int_distribution(low, high)(random);
    };
    const unsigned width = whole(200, 4200), height = whole(100, 2100), count = whole(1, 6);
    std::map<std::string, std::string> files;
    std::vector<std::array<double, 4>> places;
    std::vector<std::vector<float>> values;
    std::string regions, filesets;
    for (unsigned i = 0; i < count; ++i) {
      const double x = part(0, 0.6), y = part(0, 0.6);
      places.push_back({x, y, part(0.1, 1 - x), part(0.1, 1 - y)});
      regions += fmt::format(R"(<region id="r{}" x="{}" y="{}" {}="{}" {}="{}" {}="640" {}="480"/>)", i, x, y,
                             second_version ? "xSize" : "xsize", places[i][2], second_version ? "ySize" : "ysize",
                             places[i][3], second_version ? "xResolution" : "Xresolution",
                             second_version ? "yResolution" : "Yresolution");
      filesets += fmt::format(
          "<fileset region=\"r{0}\"><geometryWarpFile><path>{0}.pfm</path></geometryWarpFile></fileset>", i);
      values.emplace_back();
      for (int value = 0; value < 4 * 3; ++value) {
        values[i].push_back(static_cast<float>(of_buffer ? places[i][0] + part(0, 1) * places[i][2] : part(0, 1)));
        values[i].push_back(static_cast<float>(of_buffer ? places[i][1] + part(0, 1) * places[i][3] : part(0, 1)));
        values[i].push_back(0);
      }
      files[fmt::format("{}.pfm", i)] = pfm(4, 3, values[i]);
    }
    files["mpcdi.xml"] = fmt::format(
        R"(<MPCDI profile="2d" {}><display><buffer id="b" {}="{}" {}="{}">{}</buffer></display><files>{}</files></MPCDI>)",
        second_version ? R"(geometry="1" color="1" version="2.0")" : R"(level="1" version="1.0")",
        second_version ? "xResolution" : "Xresolution", width, second_version ? "yResolution" : "Yresolution", height,
        regions, filesets);
    MpcdiOptions options;
    if (of_buffer) options.values = WarpValues::of_buffer;
    const auto all = imported(zip(files), options);
    const auto wall = wall_of(all);
    for (unsigned i = 0; i < count; ++i)
      for (unsigned vertex = 0; vertex < 4 * 3; ++vertex) {
        const unsigned column = vertex % 4, from_bottom = vertex / 4;
        double x = values[i][vertex * 3], y = values[i][vertex * 3 + 1];
        if (!of_buffer) {
          x = places[i][0] + x * places[i][2];
          y = places[i][1] + y * places[i][3];
        }
        const auto spot = on_wall(wall, all, fmt::format("r{}", i), column, 2 - from_bottom);
        CHECK(spot.x == Approx(x * width).margin(0.005));
        CHECK(spot.y == Approx((1 - y) * height).margin(0.005));
      }
  }
}

TEST_CASE("a wrong MPCDI file is an error that names the entry") {
  const auto good = files_of_two_projectors();
  const auto error_with = [&](const std::string& name, const std::optional<std::string>& bytes) {
    auto files = good;
    if (bytes)
      files[name] = *bytes;
    else
      files.erase(name);
    return imported(zip(files)).error;
  };
  CHECK(imported("not a zip").error.find("is not a ZIP archive") == 0);
  CHECK(error_with("mpcdi.xml", {}).find("has no entry mpcdi.xml") == 0);
  CHECK(error_with("mpcdi.xml", "<MPCDI").find("mpcdi.xml:1: is not XML") == 0);
  CHECK(error_with("mpcdi.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><MPCDI/>").find("mpcdi.xml:1: has a DOCTYPE") == 0);
  CHECK(error_with("left.pfm", {}) == "has no entry 'left.pfm'; export it again with all files of its projectors");
  CHECK(error_with("right-black.png", {}).find("has no entry 'right-black.png'") == 0);
  CHECK(error_with("left.pfm", pfm(2, 2, std::vector<float>(12, std::nanf(""))))
            .find("entry 'left.pfm' of region 'left' shows nothing") == 0);
  CHECK(error_with("left.pfm", "PF\n3 3\n-1.0\n").find("entry 'left.pfm' of region 'left' ") == 0);
  CHECK(error_with("right.png", good.at("right.png").substr(0, 40)).find("entry 'right.png' of region 'right one' ") ==
        0);
  CHECK(error_with("mpcdi.xml", replaced(two_projectors, "left.pfm", "../../etc/passwd"))
            .find("has no entry '../../etc/passwd'") == 0);
  CHECK(imported(zip(good), {.wall_width = 60'000})
            .error.find("region 'left' would be a tile of 36000 x 26667 pixels at 0, 0; use --wall-width") == 0);
  MpcdiOptions small;
  small.limits.entry_bytes = 100;
  CHECK(imported(zip(good), small).error.find("entry 'mpcdi.xml' has ") == 0);
}

TEST_CASE("an error of writing is passed on") {
  const auto bytes = zip(files_of_two_projectors());
  const auto made = import_mpcdi(bytes, "t", {}, [](const std::string&, const std::string&) {
    return Result<void>(Error{"disk full", "make room"});
  });
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().text() == "disk full; make room");
}

TEST_CASE("values that seem to be of the buffer are noted") {
  auto files = files_of_two_projectors();
  files["right.pfm"] = pfm(2, 2, {0.4F, 0, 0, 1, 0, 0, 0.4F, 1, 0, 1, 1, 0});
  const auto all = imported(zip(files));
  REQUIRE(all.made.has_value());
  REQUIRE(all.made->notes.size() == 1);
  CHECK(all.made->notes[0].find("use --warp-values buffer") != std::string::npos);
}

// reference.mpcdi was written by the MPCDI library of Scalable Display Technologies (files.md).
TEST_CASE("a file of the standard's reference library is imported") {
  const auto all = imported(file_of_tests("reference.mpcdi"));
  const auto wall = wall_of(all);
  REQUIRE(wall.tiles.size() == 2);
  CHECK((wall.tiles[0].name == "projector-1" && wall.tiles[0].place == Rect{0, 0, 352, 200}));
  CHECK((wall.tiles[1].name == "projector-2" && wall.tiles[1].place == Rect{288, 0, 352, 200}));
  // Its maker gave vertex (x, y), counted from the top, u + 0.02 v and v - 0.05 u^2, with v upwards.
  for (unsigned row = 0; row < 7; ++row)
    for (unsigned column = 0; column < 11; ++column) {
      const double u = (column + 0.5) / 11, v = 1 - (row + 0.5) / 7;
      const auto spot = on_wall(wall, all, "projector-2", column, row);
      CHECK(spot.x == Approx(288 + (u + 0.02 * v) * 352).margin(0.001));
      CHECK(spot.y == Approx((1 - (v - 0.05 * u * u)) * 200).margin(0.001));
    }
  const auto blend = parse_grey_map(all.files.at("projector-2-blend.png"));
  REQUIRE(blend.has_value());
  CHECK((blend->width == 352 && blend->at(300, 100) == 1));
  CHECK(blend->at(31, 100) == Approx(std::pow(125 / 255.0 + 0.002, 2.2)).margin(0.01));
  CHECK(parse_grey_map(all.files.at("projector-2-black.png"))->at(4, 4) == Approx(12 / 255.0).margin(0.001));
}

// sgct.mpcdi is an example of SGCT (files.md): of a dome's calibration, with profile 3d.
TEST_CASE("a file of another calibration program is refused for its profile alone") {
  const auto bytes = file_of_tests("sgct.mpcdi");
  CHECK(imported(bytes).error.find("mpcdi1_.xml:2: <mpcdi> has profile '3d' (3D simulation); only profile 2d") == 0);
  auto archive = ZipArchive::open(bytes);
  REQUIRE(archive.has_value());
  std::map<std::string, std::string> files;
  for (const auto& name : archive->names()) files[name] = *archive->read(name);
  files["mpcdi1_.xml"] = replaced(files["mpcdi1_.xml"], "profile=\"3d\"", "profile=\"2d\"");
  const auto all = imported(zip(files));
  const auto wall = wall_of(all);
  CHECK((wall.tiles[0].name == "surface1_region" && wall.tiles[0].place == Rect{0, 0, 512, 540}));
  CHECK(parse_warp_mesh(all.files.at("surface1_region-warp.pfm"))->columns == 32);
}
