#include "probe/results/probe_result.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

constexpr const char* whole = R"({
"schema": "lambdawall-result-1", "experiment": "p2", "run": 7, "repetition": 2, "point": {"flows": 6, "pinning": "own core"},
"began": "2026-11-22T00:30:00.123Z", "duration_s": 10, "complete": true, "command": "wall-probe run", "load": {"flows": 6},
"figures": {"gbit_per_s": 25.1, "lost": 3},
"flows": [{"flow": 1, "load": "main", "direction": "forward", "figures": {"gbit_per_s": 4.2}, "sender": {"packets": 1},
           "intervals": [{"begin_s": 0, "end_s": 1.0, "gbit_per_s": 4.2, "state": "steady"}]}],
"hosts": {"client": {"name": "a", "facts": {"limits": {"kernel": "6.1"}, "topology": {"cpu_model": "C"}},
                     "cpus": [{"cpu": 3, "user": 0.25, "idle": 0.75}]}}})";

std::string error_of(const std::string& text) { return parse_result(text, "7.json").error().what; }

TEST_CASE("a result is read") {
  const auto result = parse_result(whole, "7.json").value();
  CHECK(result.run == 7);
  CHECK(result.point == Point{{"flows", 6.0}, {"pinning", "own core"}});
  CHECK(to_text(result.point) == "flows 6, pinning own core");
  CHECK(result.figures.at("lost") == 3);
  REQUIRE(result.flows.size() == 1);
  CHECK(result.flows[0].intervals.at(0).figures == NamedFigures{{"gbit_per_s", 4.2}});
  CHECK(result.hosts.at(0).cpus.at(0).user == 0.25);
  CHECK(identity_of(result.hosts[0]) == MachineIdentity{"client", "a", "6.1", "C"});
  CHECK(result.counts());
}

TEST_CASE("a run does not count if something makes it doubtful") {
  CHECK_FALSE(parse_result(R"({"schema": "lambdawall-result-1", "complete": false, "error": "cut"})", "f")->counts());
  const auto marked =
      parse_result(R"({"schema": "lambdawall-result-1", "complete": true, "marks": [{"what": "clock_stepped"}]})", "f");
  REQUIRE(marked.has_value());
  CHECK_FALSE(marked->counts());
  CHECK_FALSE(marked->marks[0].at_s.has_value());
}

TEST_CASE("an invalid result is refused with the file and the member") {
  CHECK(error_of("") == "7.json: the file is not valid JSON");
  CHECK(error_of("[]") == "7.json: the file must be an object");
  CHECK(error_of(R"({"complete": true})") == "7.json: schema is missing");
  CHECK(error_of(R"({"schema": "lambdawall-result-2", "complete": true})").find("lambdawall-result-1") !=
        std::string::npos);
  const auto with = [](const std::string& member) {
    return error_of(R"({"schema": "lambdawall-result-1", "complete": true, )" + member + "}");
  };
  CHECK(with(R"("run": 1.5)") == "7.json: run must be a whole number from 0 on");
  CHECK(with(R"("figures": {"loss": "0"})") == "7.json: figures.loss must be a number");
  CHECK(with(R"("figures": {"loss": 1e999})") == "7.json: the file is not valid JSON");
  CHECK(with(R"("flows": [{"flow": 0}, {"figures": {}}])") == "7.json: flows[1].flow is missing");
  CHECK(with(R"("flows": [{"flow": 0, "intervals": [{"begin_s": 2, "end_s": 1}]}])") ==
        "7.json: flows[0].intervals[0] ends before it begins");
  CHECK(with(R"("flows": [{"flow": 0, "timeline": [{"stage": "write", "begin_s": 2, "end_s": 1}]}])") ==
        "7.json: flows[0].timeline[0] ends before it begins");
  CHECK(with(R"("flows": [{"flow": 0, "timeline": [{"begin_s": 1, "end_s": 1}]}])") ==
        "7.json: flows[0].timeline[0].stage is missing");
  CHECK(with(R"("hosts": {"client": {"cpus": [{"cpu": 0, "user": -0.1}]}})") ==
        "7.json: hosts.client.cpus[0].user must be a share from 0 to 1");
  CHECK(with(R"("hosts": {"client": 4})") == "7.json: hosts.client must be an object");
  const auto lists = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(with("\"load\": " + lists(2'000'000)) == "7.json: the file has more than 64 lists or objects in each other");
  const auto deep_in_text =
      R"({"schema": "lambdawall-result-1", "complete": true, "load": ["\"[[", ")" + lists(100) + "\"]}";
  CHECK(parse_result(deep_in_text, "7.json").has_value());
  CHECK_FALSE(parse_result("{}", "7.json").error().mend.empty());
}

}  // namespace
}  // namespace lw
