// The laws of coordination, played on virtual time with servers that are killed, frozen, cut off and started again:
// some time after the last of it exactly one server coordinates, epochs only grow, all servers have its line, and a
// cold standby sends only while the server that it stands for is silent. With [clock] source = "wall", servers know the
// coordinator's time as exactly as they say.
#include "server/control/coordination.h"

#include "common/clock/kept_clock.h"
#include "server/control/methods.h"
#include "tests/support/network.h"
#include "tests/unit/server/control/service_fixture.h"

#include <catch2/catch.hpp>

#include <deque>
#include <map>
#include <memory>
#include <set>

namespace {

using namespace lw;
using namespace lw::test;
using namespace std::chrono_literals;
using lw::truth::Random;

constexpr auto tick = 20ms;
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

// Of a machine. Its oscillator and its system clock are off.
class Clocks final : public ClockKeeping {
public:
  [[nodiscard]] RawTime counter() const override { return raw; }
  [[nodiscard]] std::optional<ClockReading> read() const override {
    return ClockReading{raw, SystemTime{raw.time_since_epoch() + system_less_raw}};
  }
  void expect() override { kept.expect(); }
  void keep(const WallClockLine& line) override { kept.keep(line); }
  void follow_system() override { kept.follow_system(); }

  void pass(Nanoseconds time) {
    raw += time + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(time.count()) * drift)};
  }
  [[nodiscard]] WallTime wall() const { return kept.to_wall(SystemTime{raw.time_since_epoch() + system_less_raw}); }

  RawTime raw{1000s};
  Nanoseconds system_less_raw{0};
  double drift = 0;
  KeptClock kept;
};

class Cluster {
public:
  Cluster(const Wall& wall, std::uint64_t seed) : wall_(wall), random_(seed) {
    for (const auto& server : wall_.servers) {
      auto& machine = machines_[server.name];
      machine.self = &server;
      machine.clocks.raw += std::chrono::seconds{random_.below(100)};
      machine.clocks.system_less_raw = 10'000s + std::chrono::milliseconds{random_.below(3000)};
      machine.clocks.drift = (static_cast<double>(random_.below(100)) - 50) * 1e-6;
    }
  }

  void start(const std::string& name) {
    auto& machine = machines_[name];
    if (machine.process) return;
    machine.process =
        std::make_unique<Process>(wall_, *machine.self, wall_.clock == ClockSource::wall ? &machine.clocks : nullptr);
    machine.frozen = false;
  }
  void kill(const std::string& name) {
    for (auto& [key, link] : links_)
      if (key.first == name || key.second == name) close(key, link);
    machines_[name].process.reset();
    machines_[name].frozen = false;
  }
  void freeze(const std::string& name, bool frozen) { machines_[name].frozen = frozen; }
  void cut(const std::string& one, const std::string& other, bool cut) {
    if (cut)
      cuts_.insert(std::minmax(one, other));
    else
      cuts_.erase(std::minmax(one, other));
  }
  void heal() {
    cuts_.clear();
    for (auto& [name, machine] : machines_) {
      machine.frozen = false;
      start(name);
    }
  }
  // An operator changes what plays, at the server that coordinates by its own account.
  void change() {
    for (auto& [name, machine] : machines_)
      if (machine.process && machine.process->coordination.coordinates()) {
        auto& newest = machine.process->session.newest;
        ++newest.number;
        newest.name = "film " + std::to_string(newest.number);
        newest.line = Line::over(1, WallTime{}, {30, 1}, 10, 0);
        newest.digest = "d";
      }
  }
  void run(Nanoseconds time) {
    for (const auto until = now_.local + time; now_.local < until;) {
      now_.local += tick;
      now_.wall += tick;
      for (auto& [name, machine] : machines_) machine.clocks.pass(tick);
      connect();
      deliver();
      for (auto& [name, machine] : machines_) {
        if (!machine.process || machine.frozen) continue;
        machine.process->session.tick += machine.process->session.plays() ? 1 : 0;
        if (auto& clock = machine.process->clock) clock->step();
        machine.process->coordination.step(now_at(machine));
      }
      check_clocks();
    }
  }

  [[nodiscard]] std::vector<std::string> coordinators() const {
    std::vector<std::string> names;
    for (const auto& [name, machine] : machines_)
      if (machine.process && machine.process->coordination.coordinates()) names.push_back(name);
    return names;
  }
  FakeSession& session(const std::string& name) { return machines_[name].process->session; }
  Coordination& coordination(const std::string& name) { return machines_[name].process->coordination; }
  [[nodiscard]] bool runs(const std::string& name) { return machines_[name].process != nullptr; }
  [[nodiscard]] const Moment& now() const { return now_; }
  // How far the wall's clocks of all servers that run differ; empty: one does not know the time.
  [[nodiscard]] std::optional<Nanoseconds> clocks_differ() const {
    std::vector<WallTime> times;
    for (const auto& [name, machine] : machines_) {
      if (!machine.process) continue;
      if (!machine.process->clock->error()) return std::nullopt;
      times.push_back(machine.clocks.wall());
    }
    return std::ranges::max(times) - std::ranges::min(times);
  }

private:
  struct Process {
    Process(const Wall& wall, const WallServer& self, Clocks* clocks)
        : events(wall, subscribers), coordination(wall, self, with_clock(clocks), events) {
      offer_server_methods(dispatcher, coordination);
    }
    Session& with_clock(Clocks* clocks) {
      if (clocks != nullptr) session.kept_clock = &clock.emplace(*clocks);
      return session;
    }
    std::optional<ClockKeeper> clock;
    FakeSession session;
    Subscribers subscribers;
    EventLog events;
    Coordination coordination;
    Dispatcher dispatcher{nullptr, 1 << 20};
  };
  struct Machine {
    const WallServer* self = nullptr;
    Clocks clocks;
    std::unique_ptr<Process> process;
    bool frozen = false;
    std::uint64_t follows = 0;  // epoch
    LocalTime since{};
  };
  using Key = std::pair<std::string, std::string>;  // who connected, and to whom

  // At the called server: what it sends goes back over the connection.
  class Caller final : public WebPeer {
  public:
    explicit Caller(std::function<void(std::string)> send) : send_(std::move(send)) {}
    void send(std::shared_ptr<const std::string> text, bool /*droppable*/) override { send_(*text); }
    void close(const std::string& /*reason*/) override {}
    [[nodiscard]] const std::string& address() const override { return address_; }
    [[nodiscard]] const Visitor& visitor() const override { return visitor_; }
    [[nodiscard]] std::size_t unread_bytes() const override { return 0; }

  private:
    std::function<void(std::string)> send_;
    const std::string address_ = "192.0.2.1";
    const Visitor visitor_{"server", AccessRole::server, "", true};
  };
  struct Message {
    LocalTime at{};
    bool back = false;  // to the one that connected
    std::string text;
  };
  struct Link {
    std::unique_ptr<Caller> peer;  // null: not connected
    std::deque<Message> messages;
    LocalTime next_attempt{};
    std::optional<LocalTime> cut_since;
  };

  [[nodiscard]] Moment now_at(const Machine& machine) const {
    return {wall_.clock == ClockSource::wall ? machine.clocks.wall() : now_.wall, now_.local};
  }
  // The law: a server that hears the coordinator is no more than its error away from it.
  void check_clocks() {
    const auto leaders = coordinators();
    if (wall_.clock != ClockSource::wall || leaders.size() != 1) return;
    const auto& leader = machines_[leaders.front()];
    for (auto& [name, machine] : machines_) {
      if (!machine.process) continue;
      const auto epoch = machine.process->coordination.epoch();
      const bool hears =
          epoch == leader.process->coordination.epoch() && !machine.frozen && !leader.frozen &&
          std::ranges::none_of(cuts_, [&at = name](const auto& cut) { return cut.first == at || cut.second == at; });
      if (!hears || std::exchange(machine.follows, epoch) != epoch) machine.since = now_.local;
      const auto error = machine.process->clock->error();
      if (now_.local - machine.since < 500ms || !error) continue;
      const auto apart = std::chrono::abs(machine.clocks.wall() - leader.clocks.wall());
      INFO(name << " follows " << leaders.front() << ", off by " << apart.count() << " ns of " << error->count());
      REQUIRE(apart <= *error + 100us);
    }
  }

  [[nodiscard]] bool is_cut(const Key& key) const { return cuts_.contains(std::minmax(key.first, key.second)); }

  void close(const Key& key, Link& link) {
    if (!link.peer) return;
    auto& [from, to] = key;
    if (auto& called = machines_[to].process) called->coordination.closed(*link.peer);
    if (auto& caller = machines_[from].process) caller->coordination.lost(to, now_);
    link = {};
  }

  void connect() {
    for (auto& [from, machine] : machines_) {
      if (!machine.process || machine.frozen || !machine.process->coordination.needs_links()) continue;
      for (auto& [to, other] : machines_)
        if (to != from) connect({from, to}, *machine.process);
    }
  }
  void connect(const Key& key, Process& caller) {
    auto& link = links_[key];
    if (link.peer) {
      if (!is_cut(key))
        link.cut_since.reset();
      else if (!link.cut_since)
        link.cut_since = now_.local;
      else if (now_.local - *link.cut_since > 3s)
        close(key, link);  // the connection times out
      return;
    }
    if (now_.local < link.next_attempt) return;
    link.next_attempt = now_.local + 200ms;
    if (!machines_[key.second].process || is_cut(key)) return caller.coordination.lost(key.second, now_);
    link.peer = std::make_unique<Caller>([this, key](std::string text) { put(key, true, std::move(text)); });
    caller.coordination.connected(key.second, [this, key](std::string text) { put(key, false, std::move(text)); });
  }
  void put(const Key& key, bool back, std::string text) {
    links_[key].messages.push_back(
        {now_.local + 1ms + std::chrono::milliseconds{random_.below(30)}, back, std::move(text)});
  }

  // In order, like TCP: what is cut off or frozen waits.
  void deliver() {
    for (auto& [key, link] : links_) {
      while (link.peer && !link.messages.empty() && !is_cut(key)) {
        auto& [from, to] = key;
        const bool back = link.messages.front().back;
        auto& receiver = machines_[back ? from : to];
        if (link.messages.front().at > now_.local || receiver.frozen || !receiver.process) break;
        const auto message = std::move(link.messages.front());
        link.messages.pop_front();
        if (back) {
          receiver.process->coordination.hear(to, message.text, now_at(receiver));
          continue;
        }
        const auto answer = receiver.process->dispatcher.answer(message.text, {now_at(receiver), link.peer.get()});
        if (!answer.empty()) put(key, true, answer);
      }
    }
  }

  const Wall wall_;
  Random random_;
  Moment now_{WallTime{1000s}, LocalTime{50s}};
  std::map<std::string, Machine> machines_;
  std::map<Key, Link> links_;
  std::set<std::pair<std::string, std::string>> cuts_;
};

const std::vector<std::string> names{"a", "s", "b", "t"};

void start_all(Cluster& cluster) {
  for (const auto& name : names) cluster.start(name);
  cluster.run(settles_within);
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
  cluster.run(600ms);
  CHECK_FALSE(trusts());
  cluster.freeze(who, false);
  cluster.run(20ms);
  CHECK_FALSE(trusts());
  cluster.run(300ms);
  CHECK(trusts());
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
  const auto seed = GENERATE(range(0U, 6U));
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
