// The laws of coordination, played on virtual time with servers that are killed, frozen, cut off and started again:
// some time after the last of it exactly one server coordinates, epochs only grow, all servers have its line, and a
// cold standby sends only while the server that it stands for is silent. With [clock] source = "wall", servers know the
// coordinator's time as exactly as they say.
#include "server/control/coordination.h"

#include "tests/support/law_rounds.h"
#include "tests/unit/server/control/cluster.h"

#include <catch2/catch.hpp>

namespace {

using namespace lw;
using namespace lw::test;
using namespace std::chrono_literals;

constexpr auto settles_within = 4s;

// a coordinates, s is its standby, b sends the other tile, t is b's standby.
Wall four_servers(Standby of_a, Standby of_b) {
  auto wall = two_tiles();
  wall.servers.resize(4);
  const char* names[] = {"a", "s", "b", "t"};
  for (std::size_t i = 0; i < 4; ++i) {
    wall.servers[i].name = names[i];
    wall.servers[i].control_port = static_cast<std::uint16_t>(9010 + i);
  }
  wall.servers[0].tiles = {{0}};
  wall.servers[1].standby_for = "a";
  wall.servers[1].standby = of_a;
  wall.servers[2].tiles = {{1}};
  wall.servers[3].standby_for = "b";
  wall.servers[3].standby = of_b;
  return wall;
}

const std::vector<std::string> names{"a", "s", "b", "t"};

void start_all(Cluster& cluster) {
  for (const auto& name : names) cluster.start(name);
  cluster.run(settles_within);
}

// The coordinator has recent figures of the flows that it does not send itself, each once.
void check_figures(Cluster& cluster, const std::string& coordinator) {
  const auto flows = cluster.coordination(coordinator).flows_of_others(cluster.now());
  std::vector<unsigned> numbers;
  const auto now = cluster.now().local.time_since_epoch() / tick;
  for (const auto& flow : flows) {
    numbers.push_back(flow.flow);
    CHECK(flow.figures["packets"].number().value_or(0) > static_cast<double>(now - 2 * flows_every));
  }
  CHECK(numbers == (coordinator == "a" || coordinator == "s" ? std::vector{2U, 3U} : std::vector{0U, 1U}));
}

void check_one_coordinator(Cluster& cluster) {
  const auto coordinators = cluster.coordinators();
  REQUIRE(coordinators.size() == 1);
  const auto number = cluster.session(coordinators.front()).newest.number;
  for (const auto& name : names) {
    INFO(name << ", while " << coordinators.front() << " coordinates; epochs " << cluster.coordination(name).epoch()
              << " and " << cluster.coordination(coordinators.front()).epoch());
    CHECK(cluster.coordination(name).epoch() == cluster.coordination(coordinators.front()).epoch());
    CHECK(cluster.session(name).newest.number == number);
    CHECK(cluster.session(name).coordinates == (name == coordinators.front()));
    CHECK_FALSE(cluster.session(name).alone);
    CHECK((cluster.coordination(name).elsewhere().empty()) == (name == coordinators.front()));
  }
  check_figures(cluster, coordinators.front());
}

}  // namespace

TEST_CASE("the wall file's coordinator coordinates, and the others follow it") {
  Cluster cluster(four_servers(Standby::hot, Standby::cold), 1);
  start_all(cluster);
  CHECK(cluster.coordinators() == std::vector<std::string>{"a"});
  CHECK(cluster.coordination("a").begins_anew());
  cluster.change();
  cluster.run(200ms);
  check_one_coordinator(cluster);
  CHECK(cluster.session("s").sends);
  CHECK_FALSE(cluster.session("t").sends);
}

TEST_CASE("the standby takes the place of a coordinator that is not heard, and keeps it") {
  Cluster cluster(four_servers(Standby::hot, Standby::cold), 2);
  start_all(cluster);
  cluster.change();
  cluster.run(1s);
  cluster.kill("a");
  cluster.run(2s);
  CHECK(cluster.coordinators() == std::vector<std::string>{"s"});
  cluster.change();
  cluster.start("a");
  cluster.run(settles_within);
  check_one_coordinator(cluster);
  CHECK(cluster.coordinators() == std::vector<std::string>{"s"});
  CHECK_FALSE(cluster.coordination("a").begins_anew());
  CHECK(cluster.coordination("b").elsewhere().find("follows s") != std::string::npos);
  // And the other way round.
  cluster.kill("s");
  cluster.run(2s);
  CHECK(cluster.coordinators() == std::vector<std::string>{"a"});
}

TEST_CASE("a coordinator without a standby that is started again continues what the others play") {
  auto wall = four_servers(Standby::hot, Standby::cold);
  Cluster cluster(wall, 3);
  cluster.start("a");
  cluster.start("b");
  cluster.run(settles_within);
  cluster.change();
  cluster.run(500ms);
  const auto number = cluster.session("b").newest.number;
  cluster.kill("a");
  cluster.run(3s);
  cluster.start("a");
  cluster.run(settles_within);
  CHECK(cluster.coordinators() == std::vector<std::string>{"a"});
  CHECK_FALSE(cluster.coordination("a").begins_anew());
  CHECK(cluster.session("a").newest.number == number);
}

TEST_CASE("a server that was frozen trusts its line again when it has heard what the others play") {
  const auto* who = GENERATE("a", "b");
  Cluster cluster(four_servers(Standby::hot, Standby::hot), 8);
  start_all(cluster);
  cluster.change();
  cluster.run(1s);
  const auto trusts = [&] { return cluster.session(who).trusted_until > cluster.now().local; };
  CHECK(trusts());
  cluster.freeze(who, true);
  cluster.run(900ms);
  CHECK_FALSE(trusts());
  cluster.freeze(who, false);
  cluster.run(20ms);
  CHECK_FALSE(trusts());
  cluster.run(300ms);
  CHECK(trusts());
}

// Nobody else decides what plays before it is silent for longer.
TEST_CASE("a coordinator that was frozen for a short time trusts its own line at once") {
  Cluster cluster(four_servers(Standby::hot, Standby::hot), 8);
  start_all(cluster);
  cluster.change();
  cluster.run(1s);
  cluster.freeze("a", true);
  cluster.run(600ms);
  CHECK_FALSE(cluster.session("a").trusted_until > cluster.now().local);
  cluster.freeze("a", false);
  cluster.run(20ms);
  CHECK(cluster.session("a").trusted_until > cluster.now().local);
}

TEST_CASE("servers that have a line play on alone while nobody coordinates, and only then") {
  Cluster cluster(four_servers(Standby::hot, Standby::hot), 7);
  cluster.start("a");
  cluster.start("b");
  cluster.run(settles_within);
  cluster.change();
  cluster.run(500ms);
  CHECK_FALSE(cluster.session("b").alone);
  cluster.kill("a");
  cluster.run(500ms);
  CHECK(cluster.session("b").alone);
  cluster.start("t");
  cluster.run(settles_within);
  CHECK_FALSE(cluster.session("t").alone);  // it has not heard what plays
  cluster.start("a");
  cluster.run(settles_within);
  for (const auto* name : {"a", "b", "t"}) CHECK_FALSE(cluster.session(name).alone);
}

TEST_CASE("a cold standby does not send because the coordinator was started again and has not heard its server yet") {
  const auto seed = GENERATE(range(1U, 9U));
  Cluster cluster(four_servers(Standby::hot, Standby::cold), seed);
  start_all(cluster);
  cluster.change();
  cluster.run(500ms);
  cluster.kill("a");
  cluster.run(200ms);
  cluster.start("a");
  for (const auto until = cluster.now().local + 3s; cluster.now().local < until;) {
    cluster.run(tick);
    REQUIRE_FALSE(cluster.session("t").sends);
  }
}

TEST_CASE("a cold standby sends within half a second once its server is silent, and stops when that plays again") {
  const auto how = GENERATE("killed", "frozen", "cut off");
  const auto who = GENERATE("a", "b");
  INFO(who << " is " << how);
  Cluster cluster(four_servers(Standby::cold, Standby::cold), 4);
  start_all(cluster);
  cluster.change();
  cluster.run(3s);
  const std::string server = who;
  const std::string standby = server == "a" ? "s" : "t";
  REQUIRE_FALSE(cluster.session(standby).sends);
  const auto disturb = [&](bool on) {
    if (how == std::string("frozen")) cluster.freeze(server, on);
    for (const auto& other : names)
      if (how == std::string("cut off") && other != server) cluster.cut(server, other, on);
    if (how == std::string("killed")) on ? cluster.kill(server) : cluster.start(server);
  };
  disturb(true);
  cluster.run(480ms);
  CHECK(cluster.session(standby).sends);
  cluster.run(4s);
  CHECK(cluster.session(standby).sends);
  disturb(false);
  cluster.run(settles_within);
  CHECK_FALSE(cluster.session(standby).sends);
  check_one_coordinator(cluster);
}

TEST_CASE("with the wall's own clock all servers have the coordinator's time, also after it is another one") {
  auto wall = four_servers(Standby::hot, Standby::hot);
  wall.clock = ClockSource::wall;
  Cluster cluster(wall, 9);
  cluster.start("b");
  cluster.run(1s);
  CHECK_FALSE(cluster.clocks_differ());  // nobody has told it the time
  for (const auto& name : names) cluster.start(name);
  cluster.run(20s);
  CHECK(cluster.clocks_differ().value() < 5ms);  // messages take up to 31 ms
  SECTION("the standby takes over") {
    cluster.kill("a");
    cluster.run(20s);
    CHECK(cluster.coordinators() == std::vector<std::string>{"s"});
    CHECK(cluster.clocks_differ().value() < 5ms);
  }
  SECTION("it is started again, and takes the time from the others") {
    cluster.kill("s");
    cluster.run(500ms);
    cluster.kill("a");
    cluster.run(5s);
    cluster.start("a");
    cluster.run(2s);
    CHECK(cluster.coordinators() == std::vector<std::string>{"a"});
    CHECK(cluster.clocks_differ().value() < 31ms);  // by one exchange
  }
}

TEST_CASE("a line waits until the server knows the wall's time") {
  auto wall = four_servers(Standby::hot, Standby::hot);
  wall.clock = ClockSource::wall;
  Cluster cluster(wall, 10);
  cluster.start("a");
  cluster.run(settles_within);
  cluster.change();
  cluster.start("b");
  while (cluster.session("b").newest.name.empty()) {
    cluster.run(tick);
    REQUIRE(cluster.now().local < LocalTime{60s});
  }
  CHECK(cluster.clocks_differ());
}

TEST_CASE("the coordinator decides the playout delay by what the flows of all servers need") {
  Cluster cluster(four_servers(Standby::hot, Standby::hot), 11);
  start_all(cluster);
  cluster.session("b").needed = NeededDelay{120ms, 1};
  cluster.session("t").needed = NeededDelay{90ms, 1};
  cluster.run(200ms);
  CHECK(cluster.session("a").needed_by_others == NeededDelay{120ms, 1});
  cluster.kill("b");
  cluster.run(1s);
  CHECK(cluster.session("a").needed_by_others == NeededDelay{90ms, 1});
}

TEST_CASE("the coordinator decides about parity by what the flows of all servers want") {
  Cluster cluster(four_servers(Standby::hot, Standby::hot), 12);
  start_all(cluster);
  cluster.session("b").wanting_parity = {1, 1000};  // the wall has no flow 1000
  cluster.session("t").wanting_parity = {2};
  cluster.run(200ms);
  auto wanted = cluster.session("a").wanting_parity_elsewhere;
  std::ranges::sort(wanted);
  CHECK(wanted == std::vector<unsigned>{1, 2});
  cluster.kill("b");
  cluster.run(1s);
  CHECK(cluster.session("a").wanting_parity_elsewhere == std::vector<unsigned>{2});
}

TEST_CASE("an administrator chooses another coordinator") {
  Cluster cluster(four_servers(Standby::hot, Standby::hot), 5);
  start_all(cluster);
  cluster.change();
  cluster.run(500ms);
  CHECK(cluster.coordination("b").take_over(cluster.now()).has_value());
  cluster.run(settles_within);
  CHECK(cluster.coordinators() == std::vector<std::string>{"b"});
  check_one_coordinator(cluster);
  CHECK_FALSE(cluster.coordination("b").take_over(cluster.now()).has_value());
}

TEST_CASE("the law: whatever happens, some time later exactly one server coordinates, and all have its line") {
  const auto seed = GENERATE(range(0U, law_rounds(6)));
  INFO("seed " << seed);
  Random random(seed);
  const auto standby = [&] { return random.once_in(2) ? Standby::hot : Standby::cold; };
  const auto of_a = standby();
  const auto of_b = standby();
  auto wall = four_servers(of_a, of_b);
  if (random.once_in(2)) wall.clock = ClockSource::wall;
  Cluster cluster(wall, seed);
  start_all(cluster);
  std::size_t happened = 0;
  for (int episode = 0; episode < 12; ++episode) {
    for (auto events = random.below(6); events > 0; --events, ++happened) {
      const auto& name = names[random.below(4)];
      switch (random.below(6)) {
        case 0:
          cluster.kill(name);
          break;
        case 1:
          cluster.start(name);
          break;
        case 2:
          cluster.freeze(name, random.once_in(2));
          break;
        case 3:
          cluster.cut(name, names[random.below(4)], random.once_in(2));
          break;
        case 4:
          cluster.change();
          break;
        default:
          for (const auto& other : names)
            if (other != name) cluster.cut(name, other, true);
      }
      cluster.run(std::chrono::milliseconds{random.below(2500)});
    }
    cluster.heal();
    cluster.run(2 * settles_within);
    check_one_coordinator(cluster);
    for (const auto* name : {"s", "t"})
      CHECK(cluster.session(name).sends == ((name == std::string("s") ? of_a : of_b) == Standby::hot));
    cluster.change();
    cluster.run(500ms);
    check_one_coordinator(cluster);
  }
  CHECK(happened > 0);
}
