// What the servers of a wall tell each other besides lines (line_message.h). docs/protocol.md describes the exchange.
#pragma once

#include "common/messages/import.h"
#include "common/messages/line_message.h"
#include "common/messages/stats.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// server.hello: the first message on a connection that a server makes, and again when it begins to coordinate.
struct ServerHello {
  std::string server;    // the name of the one that is called
  std::string settings;  // shared_settings() of the caller
  int protocol = 0;
  std::string from;                         // the caller's name
  std::uint64_t epoch = 0;                  // of the newest coordinator that it knows; 0: none
  bool coordinates = false;                 // it is that coordinator
  std::optional<std::int64_t> asks_time{};  // with [clock] source = "wall": the caller's counter
  bool tables = false;                      // it accepts server.report as tables (server_tables.h)

  static constexpr bool closed = false;
  static void members(auto& hello, auto& visit) {
    visit("server", hello.server);
    visit("settings", hello.settings, Text{4096});
    visit("protocol", hello.protocol);
    visit("from", hello.from);
    visit("epoch", hello.epoch);
    visit("coordinates", hello.coordinates);
    visit("asks_time", hello.asks_time, Whole{1, std::int64_t{1} << 62U});
    visit("tables", hello.tables, MayBeAbsent{});
  }
  bool operator==(const ServerHello&) const = default;
};

// The wall's time at the sender, in ns since 1970, as bounds: it is not later than the first and not earlier than the
// second. With [clock] source = "wall".
struct ServerTime {
  std::int64_t asked = 0;    // the time in the message that this answers, by its sender's counter
  std::int64_t came_ns = 0;  // that message had come
  std::int64_t left_ns = 0;  // this one had not yet left

  static constexpr bool closed = false;
  static void members(auto& time, auto& visit) {
    constexpr Whole since_1970{0, std::int64_t{1} << 62U};
    visit("asked", time.asked, since_1970);
    visit("came_ns", time.came_ns, since_1970);
    visit("left_ns", time.left_ns, since_1970);
  }
  bool operator==(const ServerTime&) const = default;
};

// The answer: what the called server knows.
struct ServerHelloReply {
  std::uint64_t epoch = 0;           // of the newest coordinator that it knows; 0: none
  std::string coordinator;           // its name; empty: none
  std::optional<LineMessage> line;   // that it plays; absent: none since it started
  std::optional<ServerTime> time{};  // absent: it does not know the wall's

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("epoch", reply.epoch);
    visit("coordinator", reply.coordinator, MayBeAbsent{});
    visit("line", reply.line);
    visit("time", reply.time);
  }
  bool operator==(const ServerHelloReply&) const = default;
};

// server.alive: every 60 ms, in both directions between the coordinator and each other server.
struct ServerAlive {
  std::uint64_t epoch = 0;
  std::int64_t next_tick = 0;             // the first that it has not begun to read: grows while it plays
  std::vector<std::string> silent;        // from the coordinator: the servers that it does not hear
  std::optional<unsigned> flows_every{};  // from the coordinator: that many reports from one with flows to the next
  // To the coordinator, if the playout delay is adapted: the longest that one of its flows needs, and which one.
  std::optional<std::int64_t> delay_needed_ns{};
  std::optional<unsigned> slowest_flow{};
  // To the coordinator, of a visualization that plays and is still being written: the frames that the sender has, and
  // whether these are all.
  std::optional<std::uint32_t> frames{};
  std::optional<bool> complete{};
  std::vector<unsigned> wants_parity;  // to the coordinator, with [streaming] fec = "auto": flows
  // With [clock] source = "wall": to the coordinator, the sender's counter; from it, the answer to the newest of these.
  std::optional<std::int64_t> asks_time{};
  std::optional<ServerTime> time{};

  static constexpr bool closed = false;
  static void members(auto& alive, auto& visit) {
    visit("epoch", alive.epoch);
    visit("next_tick", alive.next_tick);
    visit("silent", alive.silent, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{1024});
    visit("flows_every", alive.flows_every, Whole{1, 100});
    visit("delay_needed_ns", alive.delay_needed_ns, Whole{0, Nanoseconds(std::chrono::hours{1}).count()});
    visit("slowest_flow", alive.slowest_flow);
    visit("frames", alive.frames, frame_number);
    visit("complete", alive.complete);
    visit("wants_parity", alive.wants_parity, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{report_entries_max});
    visit("asks_time", alive.asks_time, Whole{1, std::int64_t{1} << 62U});
    visit("time", alive.time);
  }
  bool operator==(const ServerAlive&) const = default;
};

// server.report: from a server to the coordinator, ten times a second.
struct ServerReport {
  std::vector<SenderFlowReport> flows;
  std::uint64_t read_failures = 0;  // totals since its start
  std::uint64_t frames_read_late = 0;
  std::optional<std::uint64_t> library;  // revision of what server.library returns; absent or 0: not yet known
  std::optional<ImportMessage> import;   // the newest on its host
  std::vector<SiteReport> sites;         // as this server's senders see them

  static constexpr bool closed = false;
  static void members(auto& report, auto& visit) {
    visit("flows", report.flows, AtMost{report_entries_max});
    visit("read_failures", report.read_failures, MayBeAbsent{});
    visit("frames_read_late", report.frames_read_late, MayBeAbsent{});
    visit("library", report.library, Tolerated{});
    visit("import", report.import, Tolerated{});
    visit("sites", report.sites, MayBeAbsent{}, AbsentIfEmpty{}, AtMost{report_entries_max});
  }
  bool operator==(const ServerReport&) const = default;
};

}  // namespace lw
