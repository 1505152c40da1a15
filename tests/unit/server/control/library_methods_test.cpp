// list, image and plan over real folders.
#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "common/store/npy_header.h"
#include "common/store/store_files.h"
#include "common/store/stripe_layout.h"
#include "server/play/store_edit.h"
#include "tests/support/store_folder.h"
#include "tests/unit/server/control/service_fixture.h"

namespace {

using namespace lw;
using lw::test::Service;
namespace fs = std::filesystem;

void write_store(const fs::path& folder, Grid geometry) {
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
    const auto file = stripe_file(folder, m, 0, {tile});
    fs::create_directories(file.parent_path());
    std::ofstream(file) << npy_header({layout.records_in(0, {tile}), geometry.tile_height,
                                       row_bytes(m.pixel_format, geometry.tile_width),
                                       layout.record_bytes({tile}) - layout.frame_bytes({tile})});
    fs::resize_file(file, layout.file_bytes(0, {tile}));
  }
  std::ofstream(folder / manifest_file_name) << to_json_text(m);
  std::ofstream(folder / m.poster) << "picture";
}

}  // namespace

TEST_CASE("list scans again, and says what fits and what cannot be played") {
  const StoreFolder content;
  Service service({content.path});
  CHECK(service.call("list")["result"] ==
        Json{{"visualizations", Json::array()}, {"rejected", Json::array()}, {"missing", Json::array()}});
  write_store(content.path / "good", service.wall.grid);
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
  CHECK_FALSE(good.contains("cut_from"));
  CHECK(result["visualizations"][1]["cut_from"] == (content.path / "other-wall").string());
  REQUIRE(result["rejected"].size() == 1);
  CHECK(result["rejected"][0]["folder"] == "broken");
  CHECK(result["rejected"][0]["reason"] != "");
}

TEST_CASE("list names the tiles of a store that does not hold all") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "all", service.wall.grid);
  write_store(content.path / "part", service.wall.grid);
  const auto file = content.path / "part/visualization.json";
  auto manifest = load_manifest(content.path / "part").value();
  manifest.checksums = "checksums.npy";
  manifest.tiles = {{0}};
  std::ofstream(file) << to_json_text(manifest);
  const auto listed = service.call("list")["result"]["visualizations"];
  REQUIRE(listed.size() == 2);
  CHECK_FALSE(listed[0].contains("tiles"));
  CHECK(listed[1]["tiles"] == Json{{0, 0}});
  CHECK(listed[1]["bytes"].get<std::uint64_t>() * service.wall.tile_count() == listed[0]["bytes"]);
  CHECK(listed[1]["gbit_per_s"] == listed[0]["gbit_per_s"]);
  CHECK(listed[1]["fits"] == false);  // the only server sends all tiles
  CHECK(listed[1]["reason"].get<std::string>().find("lacks tiles") != std::string::npos);
  CHECK_FALSE(listed[1].contains("cut_from"));
}

TEST_CASE("posters and strips are sent complete, or refused with the reason") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", service.wall.grid);
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
  CHECK_THAT(refused({{"name", "good"}, {"kind", "poster"}}), Catch::Contains("larger than the 700 KiB"));
  fs::remove(content.path / "good" / "poster.png");
  CHECK_THAT(refused({{"name", "good"}, {"kind", "poster"}}), Catch::Contains("no poster"));
}

TEST_CASE("the page for tablets gets posters by their visualization's name, and nothing beside them") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "a b%", service.wall.grid);
  service.call("list");
  const TabletPage page(service.library, nullptr);
  const auto poster = page.get("/tablet/poster/a%20b%25");
  CHECK(poster.status == 200);
  CHECK(poster.content_type == "image/png");
  CHECK(poster.body == "picture");
  for (const char* name : {"", "a", "a%20b", "a%20b%25/visualization.json", "..%2Fa%20b%25", "%00"}) {
    INFO(name);
    CHECK(page.get(std::string("/tablet/poster/") + name).status == 404);
  }
  CHECK(page.get("/tablet/poster/a%20b%2").status == 400);
  fs::remove(content.path / "a b%" / "poster.png");
  fs::create_symlink("/etc/hostname", content.path / "a b%" / "poster.png");
  CHECK(page.get("/tablet/poster/a%20b%25").status == 404);
}

TEST_CASE("the summary says when the library has changed, and only then") {
  const StoreFolder content;
  Service service({content.path});
  const auto page = service.open();
  const auto revision = [&] { return page->call("summary")["result"]["summary"]["library"].get<unsigned>(); };
  auto before = revision();
  const auto changed = [&] {
    const auto now = revision();
    return std::exchange(before, now) != now;
  };
  service.call("list");
  CHECK_FALSE(changed());
  write_store(content.path / "good", service.wall.grid);
  service.call("list");
  CHECK(changed());
  service.call("list");
  CHECK_FALSE(changed());
  CHECK(service.call("describe", {{"name", "good"}, {"title", "Another title"}}).contains("result"));
  CHECK(changed());
  CHECK(service.call("delete", {{"name", "good"}}).contains("result"));
  CHECK(changed());
  service.call("list");
  CHECK_FALSE(changed());
}

TEST_CASE("a plan uses what is in the library; load looks for anything else") {
  const StoreFolder content;
  Service service({content.path});
  CHECK(service.call("plan", {{"name", "good"}})["error"]["code"] == rpc_code::cannot);
  write_store(content.path / "good", service.wall.grid);
  service.call("load", {{"name", "good"}});
  CHECK(service.library.find("good") != nullptr);
  CHECK(service.call("plan", {{"name", "good"}})["result"] == Json{{"plan of", "good"}});
}

TEST_CASE("a directory of many visualizations that disappears does not make the answer long") {
  const StoreFolder content;
  const auto disk = content.path / "disk";
  fs::create_directories(content.path / "here");
  Service service({content.path / "here", disk});
  constexpr int stores = 230;
  for (int i = 0; i < stores; ++i)
    write_store(disk / (std::string(200, 'n') + std::to_string(1000 + i)), service.wall.grid);
  CHECK(service.call("list")["result"]["visualizations"].size() == stores);
  fs::rename(disk, content.path / "away");
  const auto missing = service.call("list")["result"]["missing"];
  REQUIRE(missing.size() == 1);
  CHECK(missing[0]["names"].size() == 200);
  CHECK(missing[0]["visualizations"] == stores);
}

TEST_CASE("a content directory that disappears takes only its own content, and comes back by itself") {
  const StoreFolder content;
  const auto disk = content.path / "disk";
  const auto away = content.path / "away";
  fs::create_directories(content.path / "here");
  Service service({content.path / "here", disk});
  write_store(content.path / "here" / "good", service.wall.grid);
  write_store(disk / "far", service.wall.grid);
  CHECK(service.call("list")["result"]["visualizations"].size() == 2);
  CHECK_FALSE(service.call("state")["result"].contains("missing"));
  const auto operator_ = service.open();
  operator_->call("subscribe");

  fs::rename(disk, away);
  CHECK_THAT(operator_->wait_for_event("library")["text"].get<std::string>(),
             Catch::Contains(disk.string()) && Catch::Contains("missing"));
  CHECK(service.call("state")["result"]["missing"] == Json{disk.string()});
  for (int i = 0; i < 2; ++i) {
    const auto list = service.call("list")["result"];
    REQUIRE(list["visualizations"].size() == 1);
    CHECK(list["visualizations"][0]["name"] == "good");
    REQUIRE(list["missing"].size() == 1);
    CHECK(list["missing"][0]["directory"] == disk.string());
    CHECK_THAT(list["missing"][0]["reason"].get<std::string>(), Catch::Contains(disk.string()));
    CHECK(list["missing"][0]["names"] == Json{"far"});
    CHECK(list["missing"][0]["visualizations"] == 1);
  }
  CHECK_THAT(service.call("image", {{"name", "far"}, {"kind", "poster"}})["error"]["message"].get<std::string>(),
             Catch::Contains("missing with its content directory"));
  CHECK(service.call("load", {{"name", "good"}}).contains("result"));
  CHECK(service.call("describe", {{"name", "good"}, {"title", "x"}}).contains("result"));
  CHECK_THAT(operator_->wait_for_event("library")["text"].get<std::string>(), Catch::Contains("a new description"));

  fs::rename(away, disk);
  CHECK_THAT(operator_->wait_for_event("library")["text"].get<std::string>(),
             Catch::Contains(disk.string()) && Catch::Contains("back"));
  CHECK(service.library.find("far") != nullptr);
  CHECK(service.call("list")["result"]["missing"] == Json::array());
}

TEST_CASE("a visualization whose file is spoiled and restored in place comes back by itself") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", service.wall.grid);
  const auto folder = content.path / "good";
  const auto file = stripe_file(folder, load_manifest(folder).value(), 0, {0});
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  fs::resize_file(file, 0);
  CHECK(service.call("list")["result"]["rejected"].size() == 1);
  const auto operator_ = service.open();
  operator_->call("subscribe");

  std::ofstream(file, std::ios::binary) << bytes;
  CHECK(operator_->wait_for_event("library")["text"] == "good is new");
  CHECK(service.library.find("good") != nullptr);
}

TEST_CASE("describe changes what operators read, and nothing else") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", service.wall.grid);
  const auto before = service.call("list")["result"]["visualizations"][0];
  auto after = service.call("describe", {{"name", "good"}, {"title", "Better"}, {"tags", {"a", "b"}}})["result"];
  CHECK(after["title"] == "Better");
  CHECK(after["tags"] == Json{"a", "b"});
  CHECK(service.call("list")["result"]["visualizations"][0] == after);
  after["title"] = before["title"];
  after["tags"] = before["tags"];
  CHECK(after == before);  // including the time
  service.call("describe", {{"name", "good"}, {"description", "Words"}});
  const auto stored = load_store(content.path / "good");
  REQUIRE(stored.has_value());
  CHECK(stored->title == "Better");
  CHECK(stored->description == "Words");
  CHECK(std::distance(fs::directory_iterator(content.path / "good"), {}) == 4);  // no other file is left
}

TEST_CASE("describe refuses unreadable texts and unknown visualizations") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", service.wall.grid);
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
  CHECK_THAT(refused({{"name", "good"}, {"title", "x"}}), Catch::Contains("/good"));
}

TEST_CASE("delete removes the store's files only, and reports what remains") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", service.wall.grid);
  write_store(content.path / "kept", service.wall.grid);
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

TEST_CASE("a visualization on the wall or in the playlist is not deleted") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", service.wall.grid);
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
  write_store(content.path / "good", service.wall.grid);
  fs::create_directories(disk.path / "good");
  auto m = *load_store(content.path / "good");
  m.stripes = {".", disk.path / "good"};
  for (const unsigned column : {0U, 1U})
    fs::copy_file(stripe_file(content.path / "good", m, 0, {column}),
                  stripe_file(content.path / "good", m, 1, {column}));
  std::ofstream(content.path / "good" / manifest_file_name) << to_json_text(m);
  service.call("list");
  CHECK(service.call("delete", {{"name", "good"}})["result"]["left"] == Json::array());
  CHECK_FALSE(fs::exists(disk.path / "good"));
  CHECK_FALSE(fs::exists(content.path / "good"));
}

namespace {

constexpr const char* store_id = "0123456789abcdef0123456789abcdef";

// A store over two disks, as wall-ingest leaves it, or without an id as NumPy does.
struct TwoDisks {
  StoreFolder content, disk;
  Service service{{content.path}};
  fs::path folder = content.path / "good";
  fs::path stripe = disk.path / "good";

  explicit TwoDisks(const std::string& id) {
    write_store(folder, service.wall.grid);
    auto m = *load_store(folder);
    m.id = id;
    m.stripes = {".", stripe};
    fs::create_directories(stripe);
    for (const unsigned column : {0U, 1U})
      fs::copy_file(stripe_file(folder, m, 0, {column}), stripe_file(folder, m, 1, {column}));
    if (!id.empty()) {
      std::ofstream(folder / stripe_mark_name) << to_json_text(StripeMark{id, folder, 0});
      std::ofstream(stripe / stripe_mark_name) << to_json_text(StripeMark{id, folder, 1});
    }
    std::ofstream(folder / manifest_file_name) << to_json_text(m);
  }
  // An operator's `cp -r`.
  void copy() const { fs::copy(folder, content.path / "copy", fs::copy_options::recursive); }
  Json remove(const std::string& name) {
    service.call("list");
    return service.call("delete", {{"name", name}});
  }
  bool plays(const std::string& name) {
    service.call("list");
    const auto* entry = service.library.find(name);
    return entry != nullptr && service.library.open(*entry).has_value();
  }
};

}  // namespace

TEST_CASE("deleting a copy removes nothing of the original, and deleting the last one removes the stripes") {
  TwoDisks disks(GENERATE(as<std::string>{}, "", store_id));
  disks.copy();
  disks.service.session.now.status = PlayStatus::playing;
  const bool copy_first = GENERATE(true, false);
  const std::string first = copy_first ? "copy" : "good";
  const std::string last = copy_first ? "good" : "copy";
  disks.service.session.now.name = last;
  auto reply = disks.remove(first);
  INFO(reply.dump());
  CHECK(reply["result"]["left"] == Json{disks.stripe.string()});
  CHECK_FALSE(fs::exists(disks.content.path / first));
  CHECK(disks.plays(last));
  disks.service.session.now.status = PlayStatus::stopped;
  reply = disks.remove(last);
  INFO(reply.dump());
  CHECK(reply["result"]["left"] == Json::array());
  CHECK(fs::is_empty(disks.content.path));
  CHECK(fs::is_empty(disks.disk.path));
}

TEST_CASE("a copy whose original is outside the content directories is not deleted, and the error says why") {
  TwoDisks disks(store_id);
  const StoreFolder elsewhere;
  fs::rename(disks.folder, elsewhere.path / "good");
  for (const auto& stripe : {elsewhere.path / "good", disks.stripe})
    std::ofstream(stripe / stripe_mark_name)
        << to_json_text(StripeMark{store_id, elsewhere.path / "good", stripe == disks.stripe ? 1U : 0U});
  fs::copy(elsewhere.path / "good", disks.content.path / "copy", fs::copy_options::recursive);
  const auto reply = disks.remove("copy");
  REQUIRE(reply.contains("error"));
  CHECK_THAT(reply["error"]["message"].get<std::string>(),
             Catch::Contains("copy is not deleted") && Catch::Contains((elsewhere.path / "good").string()));
  CHECK(disks.plays("copy"));

  // Without the original it is a store that was moved.
  fs::remove_all(elsewhere.path / "good");
  CHECK(disks.remove("copy")["result"]["left"] == Json::array());
  CHECK(fs::is_empty(disks.disk.path));
}

TEST_CASE("a renamed or described store still owns its stripes") {
  TwoDisks disks(store_id);
  fs::rename(disks.folder, disks.content.path / "better");
  disks.service.call("list");
  CHECK(disks.service.call("describe", {{"name", "better"}, {"title", "Better"}}).contains("result"));
  CHECK(load_store(disks.content.path / "better")->id == store_id);
  CHECK(disks.remove("better")["result"]["left"] == Json::array());
  CHECK(fs::is_empty(disks.disk.path));
}

TEST_CASE("in doubt nothing is deleted") {
  TwoDisks disks(GENERATE(as<std::string>{}, "", store_id));
  const bool has_id = load_store(disks.folder)->id == store_id;
  std::string doubt;
  if (has_id) {
    // The mark is gone: below a content directory the stripes still play.
    fs::remove(disks.stripe / stripe_mark_name);
    fs::rename(disks.stripe, disks.content.path / "stripes");
    auto m = *load_manifest(disks.folder);
    m.stripes[1] = disks.content.path / "stripes";
    std::ofstream(disks.folder / manifest_file_name) << to_json_text(m);
    doubt = "stripe.json";
  } else {
    fs::create_directories(disks.content.path / "unreadable");
    std::ofstream(disks.content.path / "unreadable" / manifest_file_name) << "{";
    doubt = "unreadable";
  }
  const auto reply = disks.remove("good");
  INFO(reply.dump());
  REQUIRE(reply.contains("error"));
  CHECK_THAT(reply["error"]["message"].get<std::string>(),
             Catch::Contains("good is not deleted") && Catch::Contains(doubt));
  CHECK(disks.plays("good"));
}

TEST_CASE("stripes of another store are not played as its own") {
  TwoDisks disks(store_id);
  const auto reason = [&] {
    const auto rejected = disks.service.call("list")["result"]["rejected"];
    return rejected.empty() ? std::string() : rejected[0]["reason"].get<std::string>();
  };
  CHECK(reason().empty());
  const auto mark = disks.stripe / stripe_mark_name;
  std::ofstream(mark) << to_json_text(StripeMark{std::string(32, 'f'), disks.folder, 1});
  CHECK_THAT(reason(), Catch::Contains("another store"));
  std::ofstream(mark) << to_json_text(StripeMark{store_id, disks.folder, 0});
  CHECK_THAT(reason(), Catch::Contains("another stripe"));
  fs::remove(mark);
  CHECK_THAT(reason(), Catch::Contains("stripe.json") && Catch::Contains("--stripes"));
  Library configured({disks.content.path}, {disks.disk.path});
  configured.scan();
  CHECK(configured.find("good") != nullptr);
}

TEST_CASE("with --stripes a store without an id plays from there and from the content directories only") {
  const TwoDisks disks("");
  for (const bool given : {true, false}) {
    const StoreFolder other;
    Library library({disks.content.path}, {given ? disks.disk.path : other.path});
    library.scan();
    CHECK((library.find("good") != nullptr) == given);
    if (!given) CHECK_THAT(library.rejected().at(0).error.text(), Catch::Contains("--stripes"));
  }
}

TEST_CASE("links in a store are not followed") {
  const StoreFolder content;
  const StoreFolder outside;
  Service service({content.path});
  const auto folder = content.path / "good";
  write_store(folder, service.wall.grid);
  service.call("list");
  const auto move_out = [&](const fs::path& file) {
    fs::rename(file, outside.path / file.filename());
    fs::create_symlink(outside.path / file.filename(), file);
  };
  const auto reason = [&] { return service.call("list")["result"]["rejected"][0]["reason"].get<std::string>(); };
  SECTION("a poster") {
    move_out(folder / "poster.png");
    const auto reply = service.call("image", {{"name", "good"}, {"kind", "poster"}});
    INFO(reply.dump());
    REQUIRE(reply.contains("error"));
    CHECK_THAT(reply["error"]["message"].get<std::string>(), Catch::Contains("link"));
  }
  SECTION("a file beside the manifest, which describe once wrote to") {
    std::ofstream(outside.path / "precious") << "precious";
    fs::create_symlink(outside.path / "precious", folder / ".visualization.json.new");
    CHECK(service.call("describe", {{"name", "good"}, {"title", "New"}}).contains("result"));
    std::string text;
    std::ifstream(outside.path / "precious") >> text;
    CHECK(text == "precious");
    CHECK(fs::is_regular_file(fs::symlink_status(folder / manifest_file_name)));
  }
  SECTION("a stripe") {
    move_out(folder / "tile-1-0.npy");
    CHECK_THAT(reason(), Catch::Contains("tile-1-0.npy") && Catch::Contains("link"));
  }
  SECTION("the manifest") {
    move_out(folder / manifest_file_name);
    CHECK_THAT(reason(), Catch::Contains("visualization.json") && Catch::Contains("link"));
  }
  SECTION("the folder") {
    move_out(folder);
    CHECK_THAT(reason(), Catch::Contains("good") && Catch::Contains("link"));
  }
  SECTION("a folder of stripes") {
    fs::create_directories(outside.path / "stripes");
    for (const auto& named : {fs::path("sub"), fs::path("../beside"), outside.path / "link"}) {
      auto m = *load_manifest(folder);
      m.stripes = {named};
      fs::create_directory_symlink(outside.path / "stripes", (folder / named).lexically_normal());
      std::ofstream(folder / manifest_file_name) << to_json_text(m);
      CHECK_THAT(reason(), Catch::Contains("link"));
      fs::remove((folder / named).lexically_normal());
    }
  }
  SECTION("but the content directory itself may be one") {
    const auto named = outside.path / "content";
    fs::create_symlink(content.path, named);
    Library library({named});
    library.scan();
    REQUIRE(library.find("good") != nullptr);
    CHECK(library.open(*library.find("good")).has_value());
  }
}

TEST_CASE("a pipe in a store blocks nobody") {
  const StoreFolder content;
  Service service({content.path});
  const auto folder = content.path / "good";
  write_store(folder, service.wall.grid);
  service.call("list");
  const std::string name = GENERATE("visualization.json", "tile-0-0.npy", "stripe.json", "poster.png");
  fs::remove(folder / name);
  REQUIRE(::mkfifo((folder / name).c_str(), 0600) == 0);
  const auto list = service.call("list")["result"];
  if (name == "poster.png")
    CHECK(service.call("image", {{"name", "good"}, {"kind", "poster"}}).contains("error"));
  else
    CHECK_THAT(list["rejected"][0]["reason"].get<std::string>(), Catch::Contains(name) && Catch::Contains("regular"));
}

TEST_CASE("a store that was replaced since the list was made is not deleted") {
  const StoreFolder content;
  Service service({content.path});
  write_store(content.path / "good", service.wall.grid);
  service.call("list");
  const auto old = *service.library.find("good");
  fs::remove_all(content.path / "good");
  write_store(content.path / "good", {1, 1, 32, 20, 0, 0});
  const auto deleted = delete_store(old, service.library);
  REQUIRE(deleted.has_error());
  CHECK_THAT(deleted.error().text(), Catch::Contains("replaced"));
  CHECK(fs::exists(content.path / "good" / "tile-0-0.npy"));
}
