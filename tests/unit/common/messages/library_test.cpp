// The library: what the server lists is read as it was written, and an invalid entry does not hide the others.
#include "common/messages/library.h"

#include <catch2/catch.hpp>

#include <string>

#include "tests/unit/common/messages/told.h"

using namespace lw;
using namespace lw::test;

namespace {

VisualizationMessage named(const std::string& name) {
  VisualizationMessage entry;
  entry.name = name;
  return entry;
}

VisualizationMessage cosmos() {
  return {.name = "cosmos",
          .title = "The cosmos",
          .description = "Galaxies",
          .tags = {"stars", "2D"},
          .source = "cosmos.mp4",
          .columns = 2,
          .rows = 1,
          .tile_width = 640,
          .tile_height = 400,
          .bezel_x = 16,
          .bezel_y = 8,
          .pixel_format = "rgb8",
          .frame_rate = "30000/1001",
          .frames = 2'000'000'000,
          .stripes = 2,
          .bytes = 6'000'000'000'000,
          .gbit_per_s = 0.5,
          .poster = true,
          .thumbnails = 16,
          .fits = true,
          .reason = "",
          .cut_from = "",
          .made = "2026-01-31T12:00:00.000Z",
          .tiles = std::vector<GridCell>{{1, 0}}};
}

LibraryReply full_reply() {
  return {{cosmos(), named("narrow")},
          {{"broken", "a stripe is missing"}},
          {{"/ssd2", "cannot read /ssd2", {"comets"}, 3}},
          true};
}

}  // namespace

TEST_CASE("a list of visualizations is read as it was written") {
  for (const auto& reply : {LibraryReply(), full_reply()})
    CHECK(read_message<LibraryReply>(to_json(reply)).value() == reply);
  const auto json = to_json(full_reply());
  CHECK(json["visualizations"][0]["frames"] == 2'000'000'000);
  CHECK(json["visualizations"][0]["tiles"] == Json{{1, 0}});
  CHECK_FALSE(json["visualizations"][1].contains("tiles"));
  CHECK(json["missing"][0]["visualizations"] == 3);
  CHECK(to_json(LibraryReply()) ==
        Json{{"visualizations", Json::array()}, {"rejected", Json::array()}, {"missing", Json::array()}});
}

TEST_CASE("a visualization is known by its name, and what else is invalid counts as absent") {
  CHECK(read_message<VisualizationMessage>({{"name", "waves"}}).value() == named("waves"));
  CHECK(problem_of<VisualizationMessage>({{"title", "Waves"}}) == "name is missing");
  auto odd = to_json(cosmos());
  odd["mood"] = "calm";
  odd["frames"] = -1;
  odd["title"] = std::string(2000, 'x');
  odd["tags"] = Json::array_t(65, "many");
  auto expected = cosmos();
  expected.frames = 0;
  expected.title.reset();
  expected.tags.clear();
  CHECK(read_message<VisualizationMessage>(odd).value() == expected);
}

TEST_CASE("an invalid visualization does not hide the others") {
  auto json = to_json(full_reply());
  json["visualizations"][0].erase("name");
  const auto read = read_message<LibraryReply>(json).value();
  REQUIRE(read.visualizations.size() == 1);
  CHECK(read.visualizations[0].name == "narrow");
  CHECK(problem_with<LibraryReply>(json, "/visualizations", 5) == "visualizations must be an array of objects");
}

TEST_CASE("an image is read as it was written") {
  const ImageReply image{ImageType::png, "QUJD"};
  CHECK(to_json(image) == Json{{"mime", "image/png"}, {"base64", "QUJD"}});
  CHECK(read_message<ImageReply>(to_json(image)).value() == image);
  CHECK(problem_of<ImageReply>({{"mime", "image/gif"}, {"base64", ""}}) == "mime must be image/jpeg or image/png");
  CHECK(problem_of<ImageReply>({{"mime", "image/png"}, {"base64", std::string(1'000'000, 'A')}}) ==
        "base64 must be a string of at most 955736 bytes");
}
