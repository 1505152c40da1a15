#include "probe/loads/load.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>

namespace lw {
namespace {

using nlohmann::json;

Result<RunSpec> run_with(json load) { return parse_run({{"loads", json::array({std::move(load)})}}); }
std::string problem_of(const json& load) {
  const auto run = run_with(load);
  return run ? std::string() : run.error().what;
}

TEST_CASE("a rate and a frame rate give the frames' size") {
  const auto run = run_with({{"gbit_per_s", 1.2}, {"frame_rate", 50}, {"flows", 2}});
  REQUIRE(run.has_value());
  const auto& load = run->loads[0];
  CHECK(load.rows == 261);  // 1.2e9 / 8 / 50 / 2 bytes, in rows of at most 1920 pixels of 3
  CHECK(load.width == 1916);
  CHECK(load.frame_bytes == 3 * 261 * 1916);
  CHECK(frame_gbit_per_s(load) == Approx(1.2).epsilon(0.001));
}

TEST_CASE("any number of flows together has the rate that is asked for") {
  for (const double gbit : {0.02, 0.2, 1.0, 3.7, 25.0})
    for (unsigned flows = 1; flows <= 64; ++flows) {
      const auto run = run_with({{"gbit_per_s", gbit}, {"flows", flows}});
      REQUIRE(run.has_value());
      const auto& load = run->loads[0];
      CAPTURE(gbit, flows, load.width, load.rows);
      // To within half an even number of pixels in each row.
      const double pixels = gbit * 1e9 / 8 / load.frame_rate / flows / 3;
      CHECK(std::abs(load.width * load.rows - pixels) <= 1.0 * load.rows);
      CHECK(frame_gbit_per_s(load) == Approx(3.0 * load.width * load.rows * load.frame_rate * flows * 8e-9));
    }
}

TEST_CASE("small frames are one narrow row") {
  const auto run = run_with({{"frame_bytes", 600}, {"frame_rate", 25}});
  REQUIRE(run.has_value());
  CHECK(run->loads[0].width == 200);
  CHECK(run->loads[0].rows == 1);
}

TEST_CASE("rates are finite, and not almost zero") {
  for (const auto& load : {json{{"gbit_per_s", 1}, {"frame_rate", 1e-320}}, json{{"gbit_per_s", 1e-320}},
                           json{{"frame_bytes", 6000}, {"frame_rate", 0.001}}, json{{"gbit_per_s", 1e-7}},
                           json{{"gbit_per_s", std::nan("")}}, json{{"frame_rate", HUGE_VAL}}})
    CHECK_THAT(problem_of(load), Catch::Contains(" must be "));
}

TEST_CASE("a path that a client names is not looked at: the answer is the same whether it exists or not") {
  const auto heard = [](const std::string& source, bool shaped) {
    json load{{"source", source}};
    if (shaped) load.update({{"width", 64}, {"rows", 40}, {"frame_rate", 30}, {"frame_bytes", 7680}});
    const auto run = parse_run({{"loads", json::array({load})}}, RunFrom::peer);
    return run ? std::string("prepared") : run.error().text();
  };
  for (const bool shaped : {false, true}) {
    CHECK(heard("/", shaped) == heard("/nowhere", shaped));
    CHECK(heard("/etc/passwd", shaped) == heard("/nowhere", shaped));
  }
  CHECK(heard("/nowhere", true) == "prepared");
}

TEST_CASE("a UDT load is a stream with a window") {
  const auto run = run_with({{"protocol", "udt"}, {"flows", 4}, {"datagram_bytes", 1472}, {"window_bytes", 400'000}});
  REQUIRE(run.has_value());
  const auto again = parse_run(to_json(*run));
  REQUIRE(again.has_value());
  CHECK(again->loads[0].protocol == Protocol::udt);
  CHECK(again->loads[0].datagram_bytes == 1472);
  CHECK(again->loads[0].window_bytes == 400'000);
  // 32 packets of 1472 less UDT's 16 bytes, for each of 4 flows.
  CHECK(run_with({{"protocol", "udt"}, {"flows", 4}, {"datagram_bytes", 1472}, {"window_bytes", 186'368}}).has_value());
  CHECK_THAT(problem_of({{"protocol", "udt"}, {"flows", 4}, {"datagram_bytes", 1472}, {"window_bytes", 186'367}}),
             Catch::Contains("186368"));
  // Sizes of buffers are an int in the library.
  CHECK(run_with({{"protocol", "udt"}, {"datagram_bytes", 200}, {"window_bytes", 1'900'000'000}}).has_value());
  CHECK_THAT(problem_of({{"protocol", "udt"}, {"datagram_bytes", 200}, {"window_bytes", 2'000'000'000}}),
             Catch::Contains("outside UDT's range"));
  CHECK_THAT(problem_of({{"protocol", "udt"}, {"gbit_per_s", 1}}), Catch::Contains("without a rate limit"));
  CHECK_THAT(problem_of({{"protocol", "udt"}, {"pattern", "bursts"}}), Catch::Contains("stream"));
  CHECK_THAT(problem_of({{"protocol", "udt"}, {"sink", "none"}}), Catch::Contains("from memory to memory"));
  CHECK_THAT(problem_of({{"protocol", "tcp"}, {"window_bytes", 400'000}}), Catch::Contains("UDT"));
}

TEST_CASE("a run's description can be read back") {
  const json load{{"name", "video"},       {"gbit_per_s", 2},       {"flows", 3},          {"dscp", 46},
                  {"sender_cpus", {0, 1}}, {"receiver_cpus", 1},    {"direction", "both"}, {"records", "packets"},
                  {"pace", 0.5},           {"datagram_bytes", 1400}};
  const auto run = run_with(load);
  REQUIRE(run.has_value());
  CHECK(run->loads[0].receiver_cpus == std::vector<unsigned>{1});
  const auto text = to_json(*run);
  const auto again = parse_run(text);
  REQUIRE(again.has_value());
  CHECK(to_json(*again) == text);
}

TEST_CASE("the rule for cores is sent to the other host, which applies it by itself") {
  const auto run = run_with({{"gbit_per_s", 1}, {"pinning", "one-per-flow"}});
  REQUIRE(run.has_value());
  CHECK(to_json(*run)["loads"][0]["pinning"] == "one-per-flow");
  CHECK(parse_run(to_json(*run))->loads[0].pinning == Pinning::one_per_flow);
}

TEST_CASE("loads of one run have separate ports") {
  const auto run = parse_run({{"loads", json::array({{{"gbit_per_s", 1}}, {{"name", "other"}, {"protocol", "tcp"}}})}});
  REQUIRE(run.has_value());
  CHECK(run->loads[0].base_port == 50000);
  CHECK(run->loads[1].base_port == 51024);
}

TEST_CASE("each of several hosts has the load, with its own ports and flow numbers") {
  const auto run = run_with({{"gbit_per_s", 1}, {"flows", 3}});
  REQUIRE(run.has_value());
  CHECK(to_json(*run_of_host(*run, 0)) == to_json(*run));
  const auto second = run_of_host(*run, 1);
  REQUIRE(second.has_value());
  CHECK(second->loads[0].first_flow == 3);
  CHECK(second->loads[0].base_port == run->loads[0].base_port + 12);
  CHECK(second->loads[0].source_port == run->loads[0].source_port + 12);
  CHECK(second->loads[0].gbit_per_s == run->loads[0].gbit_per_s);
  CHECK(to_json(*parse_run(to_json(*second))) == to_json(*second));
  CHECK_FALSE(run_of_host(*run, 64).has_value());
  CHECK_FALSE(run_of_host(*run_with({{"gbit_per_s", 1}, {"flows", 256}}), 20).has_value());  // no ports are left
  CHECK_FALSE(run_of_host(*run_with({{"gbit_per_s", 1}, {"via", "127.0.0.1:5000"}}), 1).has_value());
}

TEST_CASE("the rate of a flow is that of the load by its flows") {
  const auto run = run_with({{"protocol", "tcp"}, {"flow_gbit_per_s", 0.5}, {"flows", 6}});
  REQUIRE(run.has_value());
  CHECK(run->loads[0].gbit_per_s == Approx(3));
  CHECK(parse_run(to_json(*run))->loads[0].gbit_per_s == Approx(3));
  CHECK(problem_of({{"gbit_per_s", 1}, {"flow_gbit_per_s", 1}}).find("flow_gbit_per_s") != std::string::npos);
  CHECK(problem_of({{"flow_gbit_per_s", -1}}).find("flow_gbit_per_s") != std::string::npos);
}

TEST_CASE("bursts are counted of TCP's bursts only") {
  const auto run = run_with({{"protocol", "tcp"}, {"pattern", "bursts"}, {"bursts", 7}, {"answer_bytes", 64}});
  REQUIRE(run.has_value());
  CHECK(run->loads[0].bursts == 7);
  const auto again = parse_run(to_json(*run));
  REQUIRE(again.has_value());
  CHECK(again->loads[0].bursts == 7);
  CHECK(again->loads[0].answer_bytes == 64);
  CHECK(problem_of({{"protocol", "tcp"}, {"bursts", 7}}).find("pattern") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"bursts", 7}}).find("TCP") != std::string::npos);
  CHECK(problem_of({{"protocol", "tcp"}, {"answer_bytes", 0}}).find("answer_bytes") != std::string::npos);
}

TEST_CASE("a load of one host is not in the others' part") {
  const auto run = parse_run({{"loads", json::array({{{"protocol", "tcp"}, {"host", 1}},
                                                     {{"name", "burst"}, {"gbit_per_s", 1}, {"host", 2}},
                                                     {{"name", "each"}, {"protocol", "tcp"}, {"flows", 2}}})}});
  REQUIRE(run.has_value());
  const auto first = run_of_host(*run, 0), second = run_of_host(*run, 1), third = run_of_host(*run, 2);
  REQUIRE((first.has_value() && second.has_value() && third.has_value()));
  REQUIRE((first->loads.size() == 2 && second->loads.size() == 2 && third->loads.size() == 1));
  CHECK(first->loads[0].name == "main");
  CHECK(second->loads[0].name == "burst");
  CHECK(second->loads[0].first_flow == 0);
  CHECK(second->loads[0].base_port == run->loads[1].base_port);
  CHECK(third->loads[0].name == "each");
  CHECK(third->loads[0].first_flow == 4);
  CHECK(to_json(*parse_run(to_json(*second))) == to_json(*second));
  CHECK_FALSE(run_of_host(*run_with({{"protocol", "tcp"}, {"host", 1}}), 1).has_value());
}

TEST_CASE("a part of the measurement has a length, and is of UDP") {
  CHECK(problem_of({{"gbit_per_s", 1}, {"begin_s", 2}}).find("for_s") != std::string::npos);
  CHECK(problem_of({{"protocol", "tcp"}, {"for_s", 2}}).find("UDP") != std::string::npos);
  const auto run = run_with({{"gbit_per_s", 1}, {"begin_s", 2}, {"for_s", 0.5}});
  REQUIRE(run.has_value());
  CHECK(to_json(*parse_run(to_json(*run))) == to_json(*run));
}

TEST_CASE("the reason why a run is impossible is named") {
  CHECK(problem_of({{"gbit_per_s", 1}, {"flwos", 2}}).find("flwos") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"flows", 0}}).find("flows") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", "much"}}).find("gbit_per_s") != std::string::npos);
  CHECK(problem_of({{"protocol", "sctp"}}).find("udp, tcp, disk") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"sender_cpus", "all"}}).find("sender_cpus") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"pinning", "all"}}).find("one-per-flow") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"pinning", "in-turn"}, {"sender_cpus", 0}}).find("pinning") !=
        std::string::npos);
  CHECK(problem_of({{"protocol", "udp"}}).find("frames of 0 bytes") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"pattern", "bursts"}}).find("TCP") != std::string::npos);
  CHECK(problem_of({{"protocol", "tcp"}, {"frame_bytes", 5}}).find("UDP") != std::string::npos);
  CHECK(problem_of({{"protocol", "tcp"}, {"compute_ms", 5}}).find("bursts") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"compute_ms", 5}}).find("bursts") != std::string::npos);
  CHECK(problem_of({{"protocol", "disk"}}).find("directories") != std::string::npos);
  CHECK(problem_of({{"protocol", "disk"}, {"directories", {"a"}}, {"stripes", 2}}).find("2 stripes") !=
        std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"name", "../x"}}).find("name") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"base_port", 50001}}).find("ports") != std::string::npos);
  CHECK(problem_of({{"gbit_per_s", 1}, {"width", 60000}, {"rows", 30000}, {"frame_rate", 1}}).find("too large") !=
        std::string::npos);
  CHECK_FALSE(parse_run({{"loads", json::array()}}).has_value());
  CHECK_FALSE(parse_run(json::array()).has_value());
  CHECK_FALSE(parse_run({{"loads", json::array({{{"gbit_per_s", 1}}, {{"gbit_per_s", 1}}})}}).has_value());  // one name
}

TEST_CASE("a trace is of one direction of UDP frames or TCP bursts") {
  const json burst{{"protocol", "tcp"}, {"pattern", "bursts"}, {"trace", true}};
  const auto run = run_with(burst);
  REQUIRE(run.has_value());
  CHECK(parse_run(to_json(*run))->loads[0].trace);
  CHECK(run_with({{"gbit_per_s", 1}, {"trace", true}}).has_value());
  const auto both = [](json load) {
    load["direction"] = "both";
    return problem_of(load);
  };
  CHECK_THAT(both(burst), Catch::Contains("one direction"));
  CHECK_THAT(both({{"gbit_per_s", 1}, {"trace", true}}), Catch::Contains("one direction"));
  CHECK_THAT(problem_of({{"protocol", "tcp"}, {"trace", true}}), Catch::Contains("TCP bursts"));
  CHECK_THAT(problem_of({{"protocol", "disk"}, {"directories", {"/tmp"}}, {"trace", true}}),
             Catch::Contains("TCP bursts"));
}

}  // namespace
}  // namespace lw
