// A control service over a session that only records calls, and clients that do not use our own code.
#pragma once

#include <spdlog/spdlog.h>

#include <catch2/catch.hpp>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/messages/rpc.h"
#include "server/control/control_plane.h"
#include "server/control/control_service.h"
#include "tests/support/raw_client.h"

namespace lw::test {

// Does everything at once; with `refuse` nothing.
class FakeSession final : public Session {
public:
  Result<void> load(const std::string& name, std::uint32_t frame, bool paused, const Transition& transition) override {
    return note("load " + name + " " + std::to_string(frame) + (paused ? " paused" : "") + fading(transition), [&] {
      now.status = paused ? PlayStatus::paused : PlayStatus::playing;
      now.name = name;
      now.frame = frame;
      now.frame_count = 240;
    });
  }
  Result<void> play() override {
    return note("play", [&] { now.status = PlayStatus::playing; });
  }
  Result<void> pause() override {
    return note("pause", [&] { now.status = PlayStatus::paused; });
  }
  Result<void> stop() override {
    return note("stop", [&] { now.status = PlayStatus::stopped; });
  }
  Result<void> seek(std::uint32_t frame) override {
    return note("seek " + std::to_string(frame), [&] { now.frame = frame; });
  }
  Result<void> set_rate(double rate) override {
    return note("rate", [&] { now.rate = rate; });
  }
  Result<void> set_loop(bool loop, std::optional<std::uint32_t> first, std::optional<std::uint32_t> last) override {
    return note("loop", [&] {
      now.loop = loop;
      now.range.reset();
      if (first || last) now.range = FrameRange{first.value_or(0), last.value_or(239)};
    });
  }
  Result<void> set_playlist(Playlist playlist) override {
    return note("playlist", [&] {
      now.playlist = std::move(playlist);
      for (auto& entry : now.playlist.entries) entry.id = ++entries_given;
    });
  }
  Result<void> set_sound(const SoundLevel& level) override {
    return note("sound", [&] { now.sound = level; });
  }
  Result<void> next(const std::optional<Transition>& transition) override {
    return note("next" + fading(transition.value_or(Transition{})), [&] {
      now.entry = now.playlist.entries.front();
      now.playlist.entries.pop_front();
      now.status = PlayStatus::playing;
      now.name = now.entry->name;
    });
  }
  Result<void> move_flow(unsigned flow, std::optional<unsigned> cpu) override {
    if (cpu && cpu == forbidden_cpu) return Error{"this process may not run there", "use another CPU"};
    return note("move " + std::to_string(flow) + (cpu ? " to " + std::to_string(*cpu) : ""),
                [&] { cpus[flow].cpu = cpu; });
  }
  [[nodiscard]] AnnouncedLine line() const override { return newest; }
  [[nodiscard]] std::uint64_t line_number() const override { return newest.number; }
  [[nodiscard]] std::vector<AnnouncedLine> lines_after(std::uint64_t /*number*/) const override { return {newest}; }
  [[nodiscard]] bool plays() const override { return newest.line.plays(); }
  [[nodiscard]] std::int64_t next_tick() const override { return tick; }
  void announce_ahead(Nanoseconds time) override { announced_ahead = time; }
  ClockKeeper* clock() override { return kept_clock; }
  [[nodiscard]] std::optional<NeededDelay> delay_needed() const override { return needed; }
  void others_need(const std::optional<NeededDelay>& need) override { needed_by_others = need; }
  [[nodiscard]] std::vector<unsigned> wants_parity() const override { return wanting_parity; }
  void others_want_parity(std::vector<unsigned> flows) override { wanting_parity_elsewhere = std::move(flows); }
  [[nodiscard]] std::optional<Grown> grown() const override { return grown_here; }
  void others_grown(const std::optional<Grown>& least) override { grown_elsewhere = least; }
  void coordinate(bool decides) override {
    coordinates = decides;
    if (kept_clock != nullptr && decides) kept_clock->lead();
    if (kept_clock != nullptr && !decides) kept_clock->begin_anew();
  }
  void play_on(bool nobody_decides) override { alone = nobody_decides; }
  void trust_line(LocalTime until) override { trusted_until = until; }
  void send(bool flows_send) override { sends = flows_send; }
  Result<void> follow(const AnnouncedLine& line) override {
    return note("follow " + line.name, [&] { newest = line; });
  }
  [[nodiscard]] ReadTotals read_totals() const override { return reads; }
  [[nodiscard]] std::vector<FlowCpu> placement() const override { return cpus; }
  std::vector<std::uint64_t> turns() override { return {++polls}; }
  void poll() override { ++polls; }
  [[nodiscard]] PlayState state() const override { return now; }
  [[nodiscard]] std::string resources() const override { return "no memory"; }
  [[nodiscard]] std::vector<SenderFlowStats> sender_stats() const override { return sender; }
  [[nodiscard]] std::vector<std::vector<SiteStats>> site_stats() const override { return sites; }
  [[nodiscard]] std::vector<std::pair<unsigned, const SenderFlowHistograms*>> sender_histograms() const override {
    std::vector<std::pair<unsigned, const SenderFlowHistograms*>> all;
    for (unsigned flow = 0; flow < histograms.size(); ++flow) all.emplace_back(flow, &histograms[flow]);
    return all;
  }

  void take_records(const std::function<void(const FrameRecord&)>& take) override {
    for (const auto& record : std::exchange(records, {})) take(record);
  }
  [[nodiscard]] std::uint64_t records_dropped() const override { return 3; }

  PlayState now;
  ClockKeeper* kept_clock = nullptr;
  std::optional<NeededDelay> needed, needed_by_others;
  std::vector<unsigned> wanting_parity, wanting_parity_elsewhere;
  std::optional<Grown> grown_here, grown_elsewhere;
  std::vector<FrameRecord> records;
  std::vector<SenderFlowStats> sender;
  std::vector<std::vector<SiteStats>> sites;
  std::deque<SenderFlowHistograms> histograms;
  std::vector<std::string> calls;
  std::vector<FlowCpu> cpus{{0, 2, 2}, {1, 3, 3}, {2, {}, {}}};
  std::optional<unsigned> forbidden_cpu;
  std::optional<Error> refuse;
  unsigned polls = 0;
  AnnouncedLine newest;
  Nanoseconds announced_ahead{0};
  std::int64_t tick = 0;
  bool coordinates = false;
  bool alone = false;
  LocalTime trusted_until{};
  bool sends = true;
  ReadTotals reads;
  std::uint64_t entries_given = 0;

private:
  static std::string fading(const Transition& transition) {
    if (transition.fade == Nanoseconds{0}) return {};
    return " fading " + std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(transition.fade).count());
  }
  template <class Change>
  Result<void> note(std::string call, Change change) {
    if (refuse) return *refuse;
    calls.push_back(std::move(call));
    change();
    ++now.revision;
    return {};
  }
};

inline Wall two_tiles() {
  auto wall = parse_wall(R"(
    [wall]
    name = "two"
    columns = 2
    rows = 1
    tile_width = 64
    tile_height = 40
    frame_rate = 30
    [[node]]
    name = "left"
    address = "127.0.0.1"
    tiles = [{ column = 0, row = 0 }]
    [[node]]
    name = "right"
    address = "127.0.0.1"
    tiles = [{ column = 1, row = 0 }]
    [[server]]
    name = "s"
    [streaming]
    flows_per_tile = 2)",
                         "wall.toml");
  REQUIRE(wall.has_value());
  return *wall;
}

// A WebSocket connection that makes calls and keeps everything else it receives.
class Operator {
public:
  Operator(boost::asio::io_context& io, std::uint16_t port) : io_(io), client_(io, port) {
    REQUIRE(client_.upgrade() == "HTTP/1.1 101 Switching Protocols");
  }
  // The complete answer: result or error.
  Json call(const std::string& method, const Json& params = Json::object()) {
    client_.send_frame(rpc_request(++id_, method, params));
    for (;;) {
      auto message = Json::parse(client_.message());
      if (message.contains("method"))
        heard_.push_back(std::move(message));
      else if (message["id"] == id_)
        return message;
    }
  }
  void notify(const std::string& method, const Json& params) { client_.send_frame(rpc_notification(method, params)); }
  // The params of the next notification of a method; earlier ones of other methods are discarded.
  Json wait_for(const std::string& method) {
    for (;;) {
      while (!heard_.empty()) {
        const auto message = std::move(heard_.front());
        heard_.pop_front();
        if (message["method"] == method) return message["params"];
      }
      auto message = Json::parse(client_.message());
      if (message.contains("method")) heard_.push_back(std::move(message));
    }
  }
  // Everything received within `time`.
  std::deque<Json> listen(std::chrono::milliseconds time) {
    pump_for(io_, time);
    while (const auto frame = client_.next_frame())
      if (frame->opcode == 1) heard_.push_back(Json::parse(frame->payload));
    return std::exchange(heard_, {});
  }
  Json wait_for_event(const std::string& code) {
    for (;;)
      if (auto event = wait_for("event"); event["code"] == code) return event;
  }
  RawClient& raw() { return client_; }

private:
  boost::asio::io_context& io_;
  RawClient client_;
  int id_ = 0;
  std::deque<Json> heard_;
};

struct Service {
  Wall wall;
  boost::asio::io_context io{1};
  Library library;
  FakeSession session;
  std::unique_ptr<ControlService> control;

  explicit Service(std::vector<std::filesystem::path> content = {}, const ControlAccess& access = {},
                   Wall of = two_tiles())
      : wall(std::move(of)), library(std::move(content)) {
    spdlog::set_level(spdlog::level::off);
    wall.coordinator().control_port = free_port();
    auto started = ControlService::start(
        io, wall, wall.coordinator(), library, session,
        [](const LibraryEntry& entry) {
          return Json{{"plan of", entry.manifest.name}};
        },
        access);
    REQUIRE(started.has_value());
    control = std::move(*started);
  }
  // Without a connection.
  Json call(const std::string& method, const Json& params = Json::object()) {
    return Json::parse(control->answer(rpc_request(1, method, params)));
  }
  std::unique_ptr<Operator> open() { return std::make_unique<Operator>(io, wall.coordinator().control_port); }
  std::unique_ptr<Operator> open_node(const std::string& name) {
    auto node = open();
    REQUIRE(node->call("node.hello", hello(name)).contains("result"));
    return node;
  }
  std::string http(const std::string& target) {
    return RawClient(io, wall.coordinator().control_port)
        .exchange("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  static Json hello(const std::string& name) {
    return {{"node", name}, {"version", "1"}, {"protocol", protocol_version}, {"host", "h"}, {"pid", 1}};
  }
};

// Of the coordinator, and of a server that follows it.
inline std::set<std::string> all_method_names() {
  Service service;
  auto names = service.control->method_names();
  service.wall.servers.resize(2);
  service.wall.servers[1].name = "follower";
  const ControlPlane follower(service.wall, service.wall.servers[1], service.library, service.session, {}, "");
  const auto others = follower.method_names();
  names.insert(names.end(), others.begin(), others.end());
  return {names.begin(), names.end()};
}

}  // namespace lw::test
