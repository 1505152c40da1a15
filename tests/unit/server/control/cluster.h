// Servers that coordinate on virtual time, over connections that delay, break and freeze.
#pragma once

#include "common/clock/kept_clock.h"
#include "common/wall/geometry.h"
#include "server/control/coordination.h"
#include "server/control/methods.h"
#include "tests/support/network.h"
#include "tests/unit/server/control/service_fixture.h"

#include <catch2/catch.hpp>

#include <deque>
#include <map>
#include <memory>
#include <set>

namespace lw::test {

using namespace std::chrono_literals;
using lw::truth::Random;

inline constexpr auto tick = 20ms;
inline constexpr unsigned flows_every = 7;  // reports, of figures of flows

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
        machine.process->coordination.ask_for_flows(flows_every);
        machine.process->coordination.step(now_at(machine));
        report(machine);
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

  void report(const Machine& machine) {
    auto& coordination = machine.process->coordination;
    if (!coordination.follows()) return;
    ServerReport report;
    for (const auto tile : wall_.tiles_of(*machine.self))
      for (const auto& band : bands_of(wall_, tile)) {
        auto& flow = report.flows.emplace_back();
        flow.flow = band.flow;
        flow.figures["packets"] = static_cast<std::uint64_t>(now_.local.time_since_epoch() / tick);
      }
    coordination.report(report, now_.local.time_since_epoch() / tick % coordination.flows_every() == 0);
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

}  // namespace lw::test
