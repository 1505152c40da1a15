// Requests that changed nothing are counted by caller, in bounded memory and lines, and never displace a logged change.
#include "common/access/attempt_log.h"

#include "tests/support/temporary_folder.h"

#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace lw;
using lw::test::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

constexpr LocalTime start{std::chrono::hours(1)};
const Json no_params = Json::object();

AuditEntry refused(std::string_view name, std::string_view method = "delete") {
  return {name, "view", "10.0.0.1:4711", method, no_params, "refused: delete needs the role administer"};
}

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

std::uint64_t calls_in(const std::vector<Json>& lines) {
  std::uint64_t calls = 0;
  for (const auto& line : lines) calls += line.value("calls", std::uint64_t{1});
  return calls;
}

}  // namespace

TEST_CASE("20,000 refused calls in 5 s become one line at once and one that counts the rest") {
  const TemporaryFolder folder;
  AttemptLog log(folder.path / "attempts");
  for (int i = 0; i < 20'000; ++i) log.add(refused("eve"), "10.0.0.1", start + i * 250us);
  REQUIRE(lines_of(folder.read("attempts")).size() == 1);
  log.tell(start + AttemptLog::interval);
  const auto lines = lines_of(folder.read("attempts"));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["name"] == "eve");
  CHECK(lines[1]["calls"] == 19'999);
  CHECK(lines[1]["name"] == "eve");
  CHECK(lines[1]["address"] == "10.0.0.1:4711");
  CHECK(lines[1]["outcome"] == lines[0]["outcome"]);
}

TEST_CASE("callers are distinguished by token, network and method; one that returns later is logged at once again") {
  const TemporaryFolder folder;
  AttemptLog log(folder.path / "attempts");
  log.add(refused("eve"), "10.0.0.1", start);
  log.add(refused("eve", "place"), "10.0.0.1", start);
  log.add(refused("eve"), "10.0.0.2", start);
  log.add(refused("mallory"), "10.0.0.1", start);
  CHECK(lines_of(folder.read("attempts")).size() == 4);
  log.tell(start + 60s);
  CHECK(log.callers() == 0);
  log.add(refused("eve"), "10.0.0.1", start + 61s);
  CHECK(lines_of(folder.read("attempts")).size() == 5);
}

TEST_CASE("counted attempts are written when the log ends") {
  const TemporaryFolder folder;
  {
    AttemptLog log(folder.path / "attempts");
    for (int i = 0; i < 5; ++i) log.add(refused("eve"), "10.0.0.1", start);
  }
  CHECK(calls_in(lines_of(folder.read("attempts"))) == 5);
}

TEST_CASE("whatever is refused, changes stay in the log, each refusal is counted, and lines are bounded") {
  spdlog::set_level(spdlog::level::off);
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const TemporaryFolder folder;
  const TemporaryFolder quiet;  // the same changes without refusals
  std::uint64_t refusals = 0;
  LocalTime now = start;
  {
    AuditLog changes(folder.path / "audit", 20'000);
    AuditLog alone(quiet.path / "audit", 20'000);
    AttemptLog attempts(folder.path / "attempts");
    const unsigned callers = std::array{1U, 20U, 300U, 2000U}[seed - 1];
    for (int step = 0; step < 3'000; ++step) {
      now += std::chrono::milliseconds(random() % 200);
      const Json params{{"frame", step}};
      if (random() % 20 == 0)
        for (auto* log : {&changes, &alone}) log->write({"desk", "operate", "10.1.0.1:5", "seek", params, "done"});
      for (auto burst = random() % 10; burst > 0; --burst, ++refusals)
        attempts.add(refused(std::to_string(random() % callers)), "10.0.0.1", now);
      if (random() % 50 == 0) attempts.tell(now);
      REQUIRE(attempts.callers() <= AttemptLog::callers_max + 1);
    }
  }
  const auto frames = [](const TemporaryFolder& in, const char* name) {
    std::vector<Json> all;
    for (const auto& line : lines_of(in.read(name))) all.push_back(line["params"]);
    return all;
  };
  CHECK(frames(folder, "audit") == frames(quiet, "audit"));
  CHECK(frames(folder, "audit.1") == frames(quiet, "audit.1"));
  const auto lines = lines_of(folder.read("attempts"));
  CHECK(calls_in(lines) == refusals);
  const auto intervals = static_cast<std::size_t>((now - start) / AttemptLog::interval) + 1;
  CHECK(lines.size() <= 2 * intervals * (AttemptLog::callers_max + 1));
}
