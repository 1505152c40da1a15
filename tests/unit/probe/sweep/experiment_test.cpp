#include "probe/sweep/plan.h"

#include <catch2/catch.hpp>

#include <set>

namespace lw {
namespace {

using nlohmann::json;

const HostChoices host{{0, 1, 2}, {"cubic", "bbr"}};

const std::string file = R"(
[experiment]
name = "test"
title = "A test"
rows = ["P9.9"]
repetitions = 3
duration_s = 7
short_duration_s = 0.5
[[load]]
gbit_per_s = 1
[[load]]
name = "beside"
protocol = "tcp"
[[axis]]
key = "flows"
values = [1, 2, 4]
short = [2]
[[axis]]
key = "what"
label = "what is beside"
[[axis.value]]
name = "nothing"
"beside.off" = true
[[axis.value]]
name = "two"
short = false
"beside.flows" = 2
)";

std::string problem(const std::string& text) {
  const auto experiment = parse_experiment(text, "x.toml", host, false);
  if (!experiment) return experiment.error().text();
  const auto runs = plan_runs(*experiment, 1);
  return runs ? std::string() : runs.error().text();
}
std::string changed(const std::string& from, const std::string& to) {
  auto text = file;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_CASE("a load whose name is not a text is an error, wherever a key may name it") {
  const auto numbered = changed("name = \"beside\"", "name = 25");
  auto experiment = parse_experiment(numbered, "x.toml", host, false);
  REQUIRE(experiment.has_value());
  CHECK(plan_runs(*experiment, 1).has_error());
  CHECK(override_setting(*experiment, "beside.congestion=bbr").has_value());
  CHECK(plan_runs(*experiment, 1).has_error());
}

TEST_CASE("a number beyond the integers is passed on unchanged") {
  const auto experiment = parse_experiment(changed("values = [1, 2, 4]", "values = [1, 1e86]"), "x.toml", host, false);
  REQUIRE(experiment.has_value());
  REQUIRE(experiment->axes.front().values.size() == 2);
  CHECK(experiment->axes.front().values[1].name == 1e86);
  CHECK(plan_runs(*experiment, 1).has_error());
}

TEST_CASE("the few values of an axis are also checked if it has no others") {
  const auto few = changed("values = [1, 2, 4]\nshort = [2]", "short = 1024");
  CHECK(parse_experiment(few, "x.toml", host, false).has_error());
  const auto short_form = parse_experiment(few, "x.toml", host, true);
  REQUIRE(short_form.has_error());
  CHECK(short_form.error().what.find("short is a whole number") != std::string::npos);
}

TEST_CASE("every repetition has every point once, in its own order") {
  const auto experiment = parse_experiment(file, "x.toml", host, false);
  REQUIRE(experiment.has_value());
  const auto runs = plan_runs(*experiment, 1);
  REQUIRE(runs.has_value());
  REQUIRE(runs->size() == 18);
  std::vector<std::string> orders;
  for (unsigned repetition = 0; repetition < 3; ++repetition) {
    std::set<std::string> points;
    std::string order;
    for (unsigned i = 0; i < 6; ++i) {
      const auto& run = (*runs)[repetition * 6 + i];
      CHECK(run.repetition == repetition + 1);
      CHECK(run.number == repetition * 6 + i + 1);
      points.insert(file_part(run.point));
      order += file_part(run.point) + " ";
      CHECK(run.run.loads[0].flows == run.point["flows"].get<unsigned>());
      CHECK(run.run.loads.size() == (run.point["what"] == "nothing" ? 1 : 2));
      if (run.point["what"] == "two") CHECK(run.run.loads[1].flows == 2);
      CHECK(run.run.duration_s == 7);
    }
    CHECK(points.size() == 6);
    orders.push_back(order);
  }
  CHECK((orders[0] != orders[1] || orders[1] != orders[2]));
  const auto again = plan_runs(*experiment, 1);
  REQUIRE(again.has_value());
  for (std::size_t i = 0; i < runs->size(); ++i) CHECK((*again)[i].point == (*runs)[i].point);
}

TEST_CASE("the short form has the few values, once") {
  const auto experiment = parse_experiment(file, "x.toml", host, true);
  REQUIRE(experiment.has_value());
  const auto runs = plan_runs(*experiment, 1);
  REQUIRE(runs.has_value());
  REQUIRE(runs->size() == 1);
  CHECK((*runs)[0].point == json{{"flows", 2}, {"what", "nothing"}});
  CHECK((*runs)[0].run.duration_s == 0.5);
}

TEST_CASE("axes cover what the host has") {
  const auto experiment = parse_experiment(changed("values = [1, 2, 4]", "values = \"cpus\""), "x.toml", host, false);
  REQUIRE(experiment.has_value());
  REQUIRE(experiment->axes[0].values.size() == 3);
  CHECK(experiment->axes[0].values[2].name == 2);
}

TEST_CASE("settings are overridden from the command line") {
  auto experiment = parse_experiment(file, "x.toml", host, false).value();
  REQUIRE(override_setting(experiment, "flows=[3, 5]").has_value());
  REQUIRE(override_setting(experiment, "beside.congestion=bbr").has_value());
  REQUIRE(override_setting(experiment, "duration_s=2").has_value());
  REQUIRE(override_setting(experiment, "repetitions=1").has_value());
  REQUIRE(override_setting(experiment, "datagram_bytes=1400").has_value());
  REQUIRE(override_setting(experiment, "path.delay_ms=5").has_value());
  const auto runs = plan_runs(experiment, 1).value();
  REQUIRE(runs.size() == 4);
  for (const auto& run : runs) {
    CHECK((run.point["flows"] == 3 || run.point["flows"] == 5));
    CHECK(run.run.duration_s == 2);
    CHECK(run.run.loads[0].datagram_bytes == 1400);
    REQUIRE(run.path);
    CHECK(run.path->forward.delay == std::chrono::milliseconds{5});
    CHECK(run.path->backward.delay == std::chrono::milliseconds{5});
    CHECK(run.path->ports == 2 * run.run.loads[0].flows);
    CHECK(run.run.loads[0].via == "127.0.0.1:55000");
  }
  CHECK_FALSE(override_setting(experiment, "flows").has_value());
  CHECK_FALSE(override_setting(experiment, "=3").has_value());
  CHECK_FALSE(override_setting(experiment, "repetitions=none").has_value());
  CHECK_FALSE(override_setting(experiment, "repetitions=4294967297").has_value());
}

TEST_CASE("disks beyond those named are skipped") {
  auto experiment = parse_experiment(
      "[experiment]\nname = \"d\"\ntitle = \"d\"\nrepetitions = 1\n[[load]]\nprotocol = \"disk\"\ndirectories = "
      "[\"a\", "
      "\"b\"]\n[[axis]]\nkey = \"stripes\"\nvalues = [1, 2, 4]\n",
      "x.toml", host, false);
  REQUIRE(experiment.has_value());
  CHECK(plan_runs(*experiment, 1).value().size() == 2);
}

TEST_CASE("a sweep has limits") {
  std::string values = "0";
  for (int i = 1; i < 256; ++i) values += ", " + std::to_string(i);
  CHECK(problem(changed("[1, 2, 4]", "[" + values + "]")).find("1 to 256 values") == std::string::npos);
  CHECK(problem(changed("[1, 2, 4]", "[" + values + ", 256]")).find("1 to 256 values") != std::string::npos);
  CHECK(problem(changed("repetitions = 3", "repetitions = 10001")).find("x.toml:6") == 0);
  auto many = parse_experiment(changed("[1, 2, 4]", "[1, 2, 3, 4, 5, 6]"), "x.toml", host, false);
  REQUIRE(many.has_value());
  many->repetitions = 10'000;
  const auto runs = plan_runs(*many, 1);
  REQUIRE(runs.has_error());
  CHECK(runs.error().what.find("more than 100000 runs") != std::string::npos);
}

TEST_CASE("errors in a sweep file are named with their line") {
  CHECK(problem("nonsense").find("x.toml:1") == 0);
  CHECK(problem("").find("[experiment]") != std::string::npos);
  CHECK(problem(changed("name = \"test\"", "name = \"../x\"")).find("x.toml:3") == 0);
  CHECK(problem(changed("rows = ", "rwos = ")).find("rwos") != std::string::npos);
  CHECK(problem(changed("repetitions = 3", "repetitions = 0")).find("x.toml:6") == 0);
  CHECK(problem(changed("[[load]]\ngbit", "[load]\ngbit")).find("load") != std::string::npos);
  CHECK(problem(changed("values = [1, 2, 4]", "values = []")).find("values") != std::string::npos);
  CHECK(problem(changed("values = [1, 2, 4]", "values = \"disks\"")).find("disks") != std::string::npos);
  CHECK(problem(changed("values = [1, 2, 4]", "values = [[1], [2]]")).find("[[axis.value]]") != std::string::npos);
  CHECK(problem(changed("key = \"flows\"", "key = \"flwos\"")).find("flwos") != std::string::npos);
  CHECK(problem(changed("name = \"nothing\"", "nmae = \"nothing\"")).find("name") != std::string::npos);
  CHECK(problem(changed("short = false", "short = 0")).find("short") != std::string::npos);
  CHECK(problem(file + "[path]\nshare_rate = 1\n").find("share_rate") != std::string::npos);
  CHECK(problem(file + "[path]\ndelay_ms = -1\n").find("delay_ms") != std::string::npos);
  CHECK(problem(changed("[[load]]\n", "[path]\ndelay_ms = 1\n[[load]]\nbase_port = 61000\n")).find("base_port") !=
        std::string::npos);
}

TEST_CASE("the flows of a load can share the rate of a path") {
  for (const bool share : {false, true}) {
    const auto text = file + "[path]\nrate_gbit = 2\n" + (share ? "share_rate = true\n" : "");
    const auto experiment = parse_experiment(text, "x.toml", host, false);
    REQUIRE(experiment.has_value());
    const auto runs = plan_runs(*experiment, 1);
    REQUIRE(runs.has_value());
    REQUIRE(runs->front().path);
    CHECK(runs->front().path->forward.rate->gbit() == Approx(2));
    CHECK(runs->front().path->share_rate == share);
  }
}

TEST_CASE("missing requirements of an experiment are reported") {
  auto experiment =
      parse_experiment(changed("repetitions = 3", "needs = { cpus = 4096, peer = true }"), "x.toml", host, false);
  REQUIRE(experiment.has_value());
  CHECK(missing(*experiment, false).size() == 2);
  CHECK(missing(*experiment, true).size() == 1);
}

TEST_CASE("points yield plain file names") {
  CHECK(file_part({{"what", "a/b c"}, {"flows", 4}}) == "flows=4,what=a-b-c");
}

}  // namespace
}  // namespace lw
