#include "probe/sweep/plan.h"

#include "probe/loads/layer_rates.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <random>
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

TEST_CASE("a relay has another seed in each repetition, and results state it") {
  for (const std::uint64_t first : {1, 40}) {
    const auto text = file + "[path]\ndelay_ms = 1\n" + (first == 1 ? "" : "seed = 40\n");
    const auto runs = plan_runs(parse_experiment(text, "x.toml", host, false).value(), 1).value();
    for (const auto& run : runs) {
      REQUIRE(run.path);
      CHECK(run.path->seed == first + run.repetition - 1);
      CHECK(run.path_settings["seed"] == run.path->seed);
      CHECK(run.path_settings["delay_ms"] == 1);
    }
  }
}

TEST_CASE("a relay uses none of the ports of its load") {
  const auto experiment = parse_experiment(file + "[path]\ndelay_ms = 1\n", "x.toml", host, false).value();
  const auto runs = plan_runs(experiment, 1);
  REQUIRE(runs.has_value());
  for (const auto& run : *runs) {
    const auto& load = run.run.loads[0];
    REQUIRE(run.path);
    CHECK(run.path->listen_port >= load.base_port + 2 * load.flows);
    CHECK(run.path->from_port >= run.path->listen_port + run.path->ports);  // those that the kernel chooses could be
  }
}

TEST_CASE("a path can be disabled from the command line") {
  auto experiment = parse_experiment(file + "[path]\ndelay_ms = 1\n", "x.toml", host, false).value();
  REQUIRE(override_setting(experiment, "path.off=true").has_value());
  for (const auto& run : plan_runs(experiment, 1).value()) {
    CHECK_FALSE(run.path);
    CHECK(run.run.loads[0].via.empty());
  }
}

TEST_CASE("variants of a point follow each other in random order, in every repetition") {
  auto experiment = parse_experiment(changed("repetitions = 3", "repetitions = 20"), "x.toml", host, false).value();
  experiment.variants = {{"old", "/old", {}}, {"new", "/new", {}}};
  const auto runs = plan_runs(experiment, 1).value();
  REQUIRE(runs.size() == 20 * 6 * 2);
  unsigned old_first = 0;
  std::map<unsigned, std::set<std::string>> seen;
  for (std::size_t i = 0; i < runs.size(); i += 2) {
    auto a = runs[i].point, b = runs[i + 1].point;
    CHECK(runs[i].repetition == runs[i + 1].repetition);
    CHECK(runs[i].repetition == i / 12 + 1);
    CHECK(a["variant"] != b["variant"]);
    CHECK(experiment.variants[*runs[i].variant].name == a["variant"]);
    old_first += a["variant"] == "old" ? 1 : 0;
    a.erase("variant");
    b.erase("variant");
    CHECK(a == b);
    CHECK(seen[runs[i].repetition].insert(file_part(a)).second);
  }
  CHECK(old_first > 40);  // of 120: a fair coin is there with more than 99.9 %
  CHECK(old_first < 80);
  const auto described = experiment_json(experiment, 1, "x.toml", runs.size());
  CHECK(described["axes"].back()["values"] == json({"old", "new"}));
  CHECK(described["variants"]["new"] == "/new");
}

TEST_CASE("a median needs six runs, so an experiment has as many unless it says otherwise") {
  CHECK(parse_experiment(changed("repetitions = 3\n", ""), "x.toml", host, false)->repetitions == 6);
}

double offered_gbit_per_s(const LoadSpec& load) {
  const auto udp = frame_bytes_of(load, {})->udp;
  const double rate = std::round(load.frame_rate * 1000) / 1000;  // as flows are sent
  return udp * load.flows * rate * 8e-9;
}

TEST_CASE("a load offers the share of the capacity that it is asked for, headers included") {
  std::mt19937 random(5);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  for (int round = 0; round < 200; ++round) {
    const double percent = between(1, 120), capacity = between(0.05, 40);
    const auto flows = 1 + random() % 8;
    const auto datagram = 200 + random() % 8800;
    auto experiment = parse_experiment(
        fmt::format("[experiment]\nname = \"o\"\ntitle = \"o\"\nrepetitions = 1\n[[load]]\nflows = {}\n"
                    "datagram_bytes = {}\noffered_percent = {}\n",
                    flows, datagram, percent),
        "x.toml", host, false);
    REQUIRE(experiment.has_value());
    CHECK(plan_runs(*experiment, 1).has_error());  // a share of what?
    REQUIRE(override_setting(*experiment, fmt::format("capacity_gbit_per_s={}", capacity)).has_value());
    const auto runs = plan_runs(*experiment, 1);
    REQUIRE(runs.has_value());
    CHECK(offered_gbit_per_s(runs->front().run.loads[0]) == Approx(capacity * percent / 100).epsilon(1e-4));
  }
}

TEST_CASE("the capacity is the rate that flows share in the path, unless it is set") {
  const std::string text =
      "[experiment]\nname = \"o\"\ntitle = \"o\"\n[[load]]\noffered_percent = 50\n[path]\nrate_gbit = 2\n";
  auto own = parse_experiment(text, "x.toml", host, false).value();  // a rate of each port is not the flows' together
  CHECK(plan_runs(own, 1).has_error());
  auto shared = parse_experiment(text + "share_rate = true\n", "x.toml", host, false).value();
  CHECK(offered_gbit_per_s(plan_runs(shared, 1)->front().run.loads[0]) == Approx(1).epsilon(1e-4));
  REQUIRE(override_setting(shared, "path.off=true").has_value());
  CHECK(plan_runs(shared, 1).has_error());
  REQUIRE(override_setting(shared, "capacity_gbit_per_s=10").has_value());
  CHECK(offered_gbit_per_s(plan_runs(shared, 1)->front().run.loads[0]) == Approx(5).epsilon(1e-4));
  REQUIRE(override_setting(shared, "protocol=tcp").has_value());
  CHECK(plan_runs(shared, 1)->front().run.loads[0].gbit_per_s == Approx(5));
  CHECK_FALSE(override_setting(shared, "capacity_gbit_per_s=0").has_value());
  CHECK_FALSE(override_setting(shared, "capacity_gbit_per_s=much").has_value());
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
