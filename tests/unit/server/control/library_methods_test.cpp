// list, image and plan over real folders.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
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

TEST_CASE("describe changes what operators read, and nothing else") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", geometry_of(service.wall));
  const auto before = service.call("list")["result"]["visualizations"][0];
  auto after = service.call("describe", {{"name", "good"}, {"title", "Better"}, {"tags", {"a", "b"}}})["result"];
  CHECK(after["title"] == "Better");
  CHECK(after["tags"] == Json{"a", "b"});
  CHECK(service.call("list")["result"]["visualizations"][0] == after);
  after["title"] = before["title"];
  after["tags"] = before["tags"];
  CHECK(after == before);  // the time, too
  service.call("describe", {{"name", "good"}, {"description", "Words"}});
  const auto stored = load_store(content.path / "good");
  REQUIRE(stored.has_value());
  CHECK(stored->title == "Better");
  CHECK(stored->description == "Words");
  CHECK(std::distance(fs::directory_iterator(content.path / "good"), {}) == 4);  // nothing is left beside
}

TEST_CASE("describe refuses what nobody could read, and what is not there") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", geometry_of(service.wall));
  service.call("list");
  const auto refused = [&](const Json& params) {
    const auto reply = service.call("describe", params);
    INFO(reply.dump());
    REQUIRE(reply.contains("error"));
    CHECK(reply["error"]["code"] == rpc_code::cannot);
    return reply["error"]["message"].get<std::string>();
  };
  CHECK_THAT(refused({{"name", "good"}, {"title", " "}}), Catch::Contains("title"));
  CHECK_THAT(refused({{"name", "good"}, {"tags", {""}}}), Catch::Contains("tag"));
  CHECK_THAT(refused({{"name", "nowhere"}, {"title", "x"}}), Catch::Contains("nowhere"));
  CHECK(load_store(content.path / "good")->title == "A title");
  fs::remove_all(content.path / "good");
  CHECK_THAT(refused({{"name", "good"}, {"title", "x"}}), Catch::Contains("visualization.json"));
}

TEST_CASE("delete removes the store's files only, and tells what it left") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", geometry_of(service.wall));
  write_store(content.path / "kept", geometry_of(service.wall));
  std::ofstream(content.path / "good" / "notes.txt") << "mine";
  service.call("list");
  const auto reply = service.call("delete", {{"name", "good"}});
  INFO(reply.dump());
  REQUIRE(reply.contains("result"));
  CHECK(reply["result"]["left"] == Json{(content.path / "good" / "notes.txt").string()});
  CHECK(std::distance(fs::directory_iterator(content.path / "good"), {}) == 1);
  CHECK(service.library.find("good") == nullptr);
  CHECK(service.call("delete", {{"name", "kept"}})["result"]["left"] == Json::array());
  CHECK_FALSE(fs::exists(content.path / "kept"));
}

TEST_CASE("what is on the wall or in the playlist is not deleted") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", geometry_of(service.wall));
  service.call("load", {{"name", "good"}});
  auto reply = service.call("delete", {{"name", "good"}});
  REQUIRE(reply.contains("error"));
  CHECK_THAT(reply["error"]["message"].get<std::string>(), Catch::Contains("on the wall"));
  service.call("stop");
  service.call("playlist", {{"names", {"good"}}});
  reply = service.call("delete", {{"name", "good"}});
  REQUIRE(reply.contains("error"));
  CHECK_THAT(reply["error"]["message"].get<std::string>(), Catch::Contains("playlist"));
  CHECK(fs::exists(content.path / "good" / "visualization.json"));
  service.call("playlist", {{"names", Json::array()}});
  CHECK(service.call("delete", {{"name", "good"}}).contains("result"));
}

TEST_CASE("stripes on other disks are deleted with their visualization") {
  const StoreFolder content;
  const StoreFolder disk;
  Service service({content.path});
  write_store(content.path / "good", geometry_of(service.wall));
  fs::create_directories(disk.path / "good");
  auto m = *load_store(content.path / "good");
  m.stripes = {".", disk.path / "good"};
  for (const unsigned column : {0U, 1U})
    fs::copy_file(stripe_file(content.path / "good", m, 0, {column, 0}),
                  stripe_file(content.path / "good", m, 1, {column, 0}));
  std::ofstream(content.path / "good" / manifest_file_name) << to_json_text(m);
  service.call("list");
  CHECK(service.call("delete", {{"name", "good"}})["result"]["left"] == Json::array());
  CHECK_FALSE(fs::exists(disk.path / "good"));
  CHECK_FALSE(fs::exists(content.path / "good"));
}
