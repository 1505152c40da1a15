#include "probe/sweep/variant.h"

#include "common/wall/wall_file.h"

#include <catch2/catch.hpp>

#include <unistd.h>
#include <fstream>

namespace lw {
namespace {

using nlohmann::json;

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("lw-variant-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  // A program that a build of wall-probe could be.
  std::filesystem::path program(const std::string& name, const std::string& body) const {
    const auto file = path / name;
    std::ofstream(file) << "#!/bin/sh\n" << body;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }
};

std::string problem(const std::vector<std::string>& texts, const std::vector<std::string>& to = {}) {
  const auto variants = parse_variants(texts, to);
  return variants ? "" : variants.error().text();
}

TEST_CASE("variants are builds or hosts") {
  const Folder folder;
  const auto program = folder.program("wall-probe", "exit 0\n").string();
  const auto builds = parse_variants({"old=" + program, "new=" + program}, {"10.0.0.1"});
  REQUIRE(builds.has_value());
  CHECK((*builds)[1].name == "new");
  CHECK((*builds)[0].program == program);
  const auto hosts = parse_variants({"a=10.0.0.1,10.0.0.2:9021", "b=10.0.1.1"}, {});
  REQUIRE(hosts.has_value());
  CHECK((*hosts)[0].to == std::vector<std::string>{"10.0.0.1", "10.0.0.2:9021"});
  CHECK(parse_variants({}, {"10.0.0.1"})->empty());

  CHECK(problem({"a=10.0.0.1", "b=10.0.1.1"}, {"10.0.0.3"}).find("--to") != std::string::npos);
  CHECK(problem({"a=10.0.0.1"}).find("2 to 16") != std::string::npos);
  CHECK(problem({"a=10.0.0.1", "a=10.0.0.2"}).find("called a") != std::string::npos);
  CHECK(problem({"a=10.0.0.1", "b=" + program}).find("not both") != std::string::npos);
  CHECK(problem({"a=/nowhere/wall-probe", "b=" + program}).find("not an executable program") != std::string::npos);
  for (const auto* wrong : {"", "=x", "a", "a=", "a/b=10.0.0.1"})
    CHECK(problem({wrong, "b=10.0.0.1"}).find("not a variant") != std::string::npos);
}

TEST_CASE("another program measures a run, and its result is taken over") {
  const Folder folder;
  const auto good = folder.program("good", R"(
test "$1 $2" = "run --file" && grep -q '"gbit_per_s": 1.0' "$3" && test "$4" = --results || exit 3
mkdir -p "$5/runs/run-records"
echo '{"load": "main"}' > "$5/runs/run.ndjson"
echo '{"complete": true, "figures": {"gbit_per_s": 1.5}, "to": "'"$7 $9"'"}' > "$5/runs/run.json"
)");
  const auto run = parse_run({{"loads", json::array({{{"gbit_per_s", 1}}})}}).value();
  const std::atomic<bool> stop{false};
  const auto done = measure_with(good, run, {"10.0.0.1", "10.0.0.2"}, {}, folder.path / "work", stop);
  REQUIRE(done.has_value());
  CHECK(done->result["figures"]["gbit_per_s"] == 1.5);
  CHECK(done->result["to"] == "10.0.0.1 10.0.0.2");
  CHECK(done->intervals == std::vector<json>{{{"load", "main"}}});
  CHECK(done->records == folder.path / "work" / "runs" / "run-records");

  const auto bad = folder.program("bad", "echo 'wall-probe: no such option' >&2\nexit 2\n");
  const auto failed = measure_with(bad, run, {}, {}, folder.path / "work", stop);
  REQUIRE(failed.has_error());
  CHECK(failed.error().what.find("no such option") != std::string::npos);
  CHECK(measure_with("/nowhere", run, {}, {}, folder.path / "work", stop).has_error());
}

TEST_CASE("an interruption is passed on to the program that measures") {
  const Folder folder;
  const auto slow = folder.program("slow", "trap 'exit 1' TERM\nwhile :; do sleep 0.05; done\n");
  const auto run = parse_run({{"loads", json::array({{{"gbit_per_s", 1}}})}}).value();
  const std::atomic<bool> stop{true};
  const auto done = measure_with(slow, run, {}, {}, folder.path / "work", stop);
  REQUIRE(done.has_error());
}

}  // namespace
}  // namespace lw
