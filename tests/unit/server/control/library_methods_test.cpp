// list, image and plan over real folders.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "tests/unit/common/store/store_folder.h"
#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::Service;
namespace fs = std::filesystem;

void write_store(const fs::path& folder, StoreGeometry geometry) {
  Manifest m;
  m.title = "A title";
  m.geometry = geometry;
  m.frame_rate = {30, 1};
  m.frame_count = 2;
  m.stripes = {"."};
  m.poster = "poster.png";
  m.name = folder.filename();
  const StripeLayout layout(m);
  for (unsigned tile = 0; tile < geometry.columns; ++tile) {
    const auto file = stripe_file(folder, m, 0, {tile, 0});
    fs::create_directories(file.parent_path());
    std::ofstream(file) << npy_header({layout.records_in(0, tile), geometry.tile_height,
                                       row_bytes(m.pixel_format, geometry.tile_width),
                                       layout.record_bytes() - layout.frame_bytes()});
    fs::resize_file(file, layout.file_bytes(0, tile));
  }
  std::ofstream(folder / manifest_file_name) << to_json_text(m);
  std::ofstream(folder / m.poster) << "picture";
}

}  // namespace

TEST_CASE("list scans anew, and says what fits and what cannot be played") {
  const StoreFolder content;
  Service service({content.path});
  CHECK(service.call("list")["result"] == Json{{"visualizations", Json::array()}, {"rejected", Json::array()}});
  write_store(content.path / "good", geometry_of(service.wall));
  write_store(content.path / "other-wall", {2, 1, 32, 20, 0, 0});
  fs::create_directories(content.path / "broken");
  std::ofstream(content.path / "broken" / "visualization.json") << "{}";
  const auto result = service.call("list")["result"];
  REQUIRE(result["visualizations"].size() == 2);
  const auto& good = result["visualizations"][0];
  CHECK(good["name"] == "good");
  CHECK(good["title"] == "A title");
  CHECK(good["frames"] == 2);
  CHECK(good["poster"] == true);
  CHECK(good["thumbnails"] == 0);
  CHECK(good["fits"] == true);
  CHECK(result["visualizations"][1]["fits"] == false);
  CHECK(result["visualizations"][1]["reason"] != "");
  REQUIRE(result["rejected"].size() == 1);
  CHECK(result["rejected"][0]["folder"] == "broken");
  CHECK(result["rejected"][0]["reason"] != "");
}

TEST_CASE("pictures are sent whole or refused with the reason") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", geometry_of(service.wall));
  service.call("list");
  const auto picture = service.call("image", {{"name", "good"}, {"kind", "poster"}})["result"];
  CHECK(picture["mime"] == "image/png");
  CHECK(picture["base64"] == "cGljdHVyZQ==");
  const auto refused = [&](const Json& params) {
    const auto reply = service.call("image", params);
    INFO(reply.dump());
    REQUIRE(reply.contains("error"));
    CHECK(reply["error"]["code"] == rpc_code::cannot);
    return reply["error"]["message"].get<std::string>();
  };
  CHECK_THAT(refused({{"name", "good"}, {"kind", "thumbnails"}}), Catch::Contains("no thumbnails"));
  CHECK_THAT(refused({{"name", "nowhere"}, {"kind", "poster"}}), Catch::Contains("nowhere"));
  fs::resize_file(content.path / "good" / "poster.png", 701 << 10);
  CHECK_THAT(refused({{"name", "good"}, {"kind", "poster"}}), Catch::Contains("too large"));
  fs::remove(content.path / "good" / "poster.png");
  CHECK_THAT(refused({{"name", "good"}, {"kind", "poster"}}), Catch::Contains("no poster"));
}

TEST_CASE("a plan is made of what is in the library; load looks for what is not") {
  const StoreFolder content;
  Service service({content.path});
  CHECK(service.call("plan", {{"name", "good"}})["error"]["code"] == rpc_code::cannot);
  write_store(content.path / "good", geometry_of(service.wall));
  service.call("load", {{"name", "good"}});
  CHECK(service.library.find("good") != nullptr);
  CHECK(service.call("plan", {{"name", "good"}})["result"] == Json{{"plan of", "good"}});
}

TEST_CASE("a content directory that went away is an error, not the end") {
  Service service({"/nonexistent-content"});
  const auto reply = service.call("list");
  REQUIRE(reply.contains("error"));
  CHECK_THAT(reply["error"]["message"].get<std::string>(), Catch::Contains("/nonexistent-content"));
}
