// Imports at an operator's request, with a script in the place of wall-ingest: one at a time, with progress, reasons
// and an end in every case; and with the wall's other servers.
#include "server/control/import_job.h"

#include "common/messages/message.h"
#include "server/control/import_places.h"
#include "server/control/wall_import.h"
#include "tests/support/store_folder.h"
#include "tests/unit/server/control/service_fixture.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <thread>

namespace {

using namespace lw;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

struct Place {
  StoreFolder folder;
  ImportPlace place;

  explicit Place(const std::string& script, const std::string& server = {}) {
    fs::create_directories(folder.path / "import");
    fs::create_directories(folder.path / "content");
    std::ofstream(folder.path / "import/film.mp4") << "media";
    std::ofstream(folder.path / "wall-ingest") << "#!/bin/sh\n" + script;
    fs::permissions(folder.path / "wall-ingest", fs::perms::owner_all);
    place = {{folder.path / "import"}, folder.path / "wall-ingest", "wall.toml", {folder.path / "content"}, server};
  }
  [[nodiscard]] std::string film() const { return folder.path / "import/film.mp4"; }
};

constexpr const char* makes_film = R"(
echo '{"event":"progress","frames":20,"frames_per_s":30.5,"mb_per_s":12.0,"limit_mb_per_s":40.0,"frames_total":80}'
echo 'not JSON'; echo '{"event":"progress","frames":-3,"frames_total":"x"}'; echo '[1]'; echo '{"event":7}'
echo '{"event":"done","folder":"/somewhere/film","frames":80}')";

void run(ImportJob& job) {
  while (job.runs()) {
    job.step(Moment::now());
    std::this_thread::sleep_for(2ms);
  }
}

ImportRequest request_for(const std::string& input, const std::string& name = {}) {
  ImportRequest request;
  request.input = input;
  if (!name.empty()) request.name = name;
  return request;
}

}  // namespace

TEST_CASE("an import gives its progress, its name and its end") {
  const Place place(std::string(makes_film) + "\nsleep 0.2");
  ImportJob job(place.place, "a");
  CHECK_FALSE(job.message());
  REQUIRE(job.start(request_for(place.film())).has_value());
  CHECK(job.step(Moment::now()));
  CHECK(job.message()->status == ImportStatus::running);
  CHECK_FALSE(job.start(request_for(place.film())).has_value());  // one at a time
  run(job);
  CHECK(job.message()->status == ImportStatus::done);
  CHECK(job.message()->name == "film");
  CHECK(job.message()->frames == 80);
  CHECK(job.message()->number == 1);
  CHECK_FALSE(job.message()->mb_per_s);
  CHECK_FALSE(job.step(Moment::now()));
  REQUIRE(job.start(request_for(place.film())).has_value());
  CHECK(job.message()->number == 2);
  run(job);
}

TEST_CASE("a failed import has the last words of wall-ingest as its reason, made printable") {
  const Place place(
      "echo 'wall-ingest: first' >&2; printf 'wall-ingest: cannot open it\\033[2J; copy it\\n' >&2; exit 1");
  ImportJob job(place.place, "a");
  REQUIRE(job.start(request_for(place.film())).has_value());
  run(job);
  CHECK(job.message()->status == ImportStatus::failed);
  CHECK(job.message()->reason == "cannot open it\\u001b[2J; copy it");
  for (const auto& [script, reason] : {std::pair{"exit 3", "wall-ingest ended with code 3"},
                                       std::pair{"kill -9 $$", "wall-ingest was ended by signal 9"},
                                       std::pair{"exit 0", "wall-ingest ended with code 0"}}) {
    const Place silent(script);
    ImportJob other(silent.place, "a");
    REQUIRE(other.start(request_for(silent.film())).has_value());
    run(other);
    CHECK(other.message()->status == ImportStatus::failed);
    CHECK(other.message()->reason == reason);
  }
}

TEST_CASE("a cancelled import ends, also if wall-ingest does not listen") {
  for (const auto* script : {"exec sleep 1000", "trap '' TERM; while :; do sleep 0.05; done"}) {
    const Place place(script);
    ImportJob job(place.place, "a");
    CHECK_FALSE(job.cancel(Moment::now()).has_value());
    REQUIRE(job.start(request_for(place.film())).has_value());
    auto now = Moment::now();
    REQUIRE(job.cancel(now).has_value());
    for (; job.runs(); now.local += 100ms) {
      job.step(now);
      std::this_thread::sleep_for(2ms);
    }
    CHECK(job.message()->status == ImportStatus::cancelled);
  }
}

TEST_CASE("values of a request stay values, and what is not allowed starts nothing") {
  const Place place("exit 1");
  auto request = request_for("/in put");
  request.name = "-n";
  request.title = "A title; $HOME";
  request.tags = {"x y", "-z"};
  request.fit = ImportFit::fill;
  request.format = "bc7";
  request.overwrite = true;
  auto with_server = place.place;
  with_server.server = "b";
  with_server.out = {"/a", "/b"};
  CHECK(ImportJob::arguments(with_server, request, "/in put", with_server.out) ==
        std::vector<std::string>{"--json", "--wall=wall.toml", "--out=/a,/b", "--server=b", "--fit=fill",
                                 "--format=bc7", "--name=-n", "--title=A title; $HOME", "--tag=x y", "--tag=-z",
                                 "--overwrite", "--", "/in put"});
  const auto refusal = [&](const ImportPlace& where, const ImportRequest& what) {
    ImportJob job(where, "a");
    const auto started = job.start(what);
    return started || job.message() ? "started" : started.error().text();
  };
  CHECK(refusal({}, request_for(place.film())).find("--import-from") != std::string::npos);
  auto not_installed = place.place;
  not_installed.program.clear();
  CHECK(refusal(not_installed, request_for(place.film())).find("install it") != std::string::npos);
  auto nowhere = place.place;
  nowhere.out.clear();
  CHECK(refusal(nowhere, request_for(place.film())).find("--content") != std::string::npos);
  CHECK(refusal(place.place, request_for("/etc/passwd")).find("is not below") != std::string::npos);
  for (const auto* name : {".hidden", "a/b", "..", ""}) {
    auto odd = request_for(place.film());
    odd.name = name;
    CHECK(refusal(place.place, odd).find("a name must") != std::string::npos);
  }
}

TEST_CASE("an import goes into the chosen directories of the server, and into no others") {
  const Place all("echo \"$*\" > \"$(dirname \"$0\")/said\"; exit 1");
  const auto directory = [&](const char* name) {
    fs::create_directories(all.folder.path / name);
    return (all.folder.path / name).string();
  };
  auto place = all.place;
  place.out.emplace_back(directory("stripes"));
  place.content = {place.out.front(), directory("more")};
  const auto into = [&](const std::vector<std::string>& chosen) -> std::string {
    ImportJob job(place, "a");
    auto request = request_for(all.film());
    request.into = chosen;
    if (const auto started = job.start(request); !started) return started.error().text();
    run(job);
    std::ifstream said(all.folder.path / "said");
    const std::string text{std::istreambuf_iterator<char>(said), {}};
    const auto begin = text.find("--out=") + 6;
    return text.substr(begin, text.find(' ', begin) - begin);
  };
  CHECK(into({}) == directory("content") + "," + directory("stripes"));
  CHECK(into({directory("more")}) == directory("more"));
  CHECK(into({directory("more"), directory("stripes")}) == directory("more") + "," + directory("stripes"));
  CHECK(into({directory("stripes"), directory("more")}).find("is only for stripes") != std::string::npos);
  CHECK(into({directory("more"), directory("more")}).find("more than once") != std::string::npos);
  for (const auto& elsewhere : {directory("import"), directory("more") + "/", directory("more") + "/..", std::string()})
    CHECK(into({elsewhere}).find("is not a directory of this server") != std::string::npos);
}

TEST_CASE("import.places lists what an import needs: wall file, directories with their space, and media") {
  const Place all("exit 1");
  auto place = all.place;
  place.out.emplace_back(all.folder.path / "gone");
  place.content = {place.out.front()};
  fs::create_directories(place.from.front() / "shots");
  std::ofstream(place.from.front() / ".film.mp4.part") << "half";
  const auto places = import_places(place);
  CHECK(places.wall_file == (fs::current_path() / "wall.toml").string());
  REQUIRE(places.folders.size() == 2);
  CHECK(places.folders[0].directory == place.out[0].string());
  CHECK(places.folders[0].content);
  CHECK(places.folders[0].usual);
  CHECK(places.folders[0].free_bytes.value() <= places.folders[0].bytes.value());
  CHECK_FALSE(places.folders[1].content);
  CHECK_FALSE(places.folders[1].free_bytes);
  CHECK(places.inputs == std::vector{all.film(), (place.from.front() / "shots").string()});
  for (int i = 0; i < 600; ++i) std::ofstream(place.from.front() / std::to_string(i)) << "media";
  const auto many = import_places(place);
  CHECK(many.inputs.size() == ImportPlaces::inputs_max);
  CHECK(read_message<ImportPlaces>(to_json(many)).value() == many);
  CHECK(import_places({}).folders.empty());
}

TEST_CASE("import and import.cancel answer with the state, and events report its end") {
  lw::test::Service plain;
  const std::string off = plain.call("import", {{"input", "/x"}})["error"]["message"];
  CHECK(off.find("--import-from") != std::string::npos);
  CHECK_FALSE(plain.call("info")["result"].contains("import_from"));

  const Place place(std::string(makes_film) + "\nsleep 0.3");
  const Wall wall = lw::test::two_tiles();
  Library library({place.folder.path / "content"});
  lw::test::FakeSession session;
  ControlPlane plane(wall, wall.servers.front(), library, session, {}, "", place.place);
  const auto call = [&](const std::string& method, const Json& params = Json::object()) {
    return Json::parse(plane.answer(rpc_request(1, method, params), {Moment::now(), nullptr}));
  };
  CHECK(call("info")["result"]["import_from"] == Json{(place.folder.path / "import").string()});
  CHECK(call("import.cancel")["error"]["message"] == "no import runs; start one with import");
  // The answer would go to a connection.
  CHECK(call("import.probe", {{"input", place.film()}})["error"]["message"] == "only a connection can hear the answer");
  CHECK(call("import.probe", {{"input", place.film()}, {"name", "x"}})["error"]["code"] == rpc_code::bad_params);
  CHECK(call("import.places")["result"]["folders"][0]["directory"] == (place.folder.path / "content").string());
  CHECK(call("import", {{"input", place.film()}, {"into", {"/tmp"}}})["error"]["message"].get<std::string>().find(
            "is not a directory of this server") != std::string::npos);
  CHECK_FALSE(call("state")["result"].contains("imports"));
  const auto begun = call("import", {{"input", place.film()}, {"fit", "fill"}})["result"]["imports"];
  REQUIRE(begun.size() == 1);
  CHECK(begun[0]["server"] == "s");
  CHECK(begun[0]["status"] == "running");
  CHECK(call("import", {{"input", place.film()}})["error"]["message"].get<std::string>().find("is importing") !=
        std::string::npos);
  for (const auto& bad :
       {Json{{"input", place.film()}, {"fit", "wide"}}, Json{{"input", place.film()}, {"format", "bc9"}},
        Json{{"input", 7}}, Json{{"program", "sh"}}, Json{{"input", place.film()}, {"tags", Json(65, "t")}}})
    CHECK(call("import", bad)["error"]["code"] == rpc_code::bad_params);
  while (call("state")["result"]["imports"][0]["status"] == "running") {
    plane.step(Moment::now());
    std::this_thread::sleep_for(2ms);
  }
  CHECK(call("state")["result"]["imports"][0]["status"] == "done");
  CHECK(call("state")["result"]["imports"][0]["name"] == "film");
}
