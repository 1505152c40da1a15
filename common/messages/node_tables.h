// node.report as tables (common/messages/tables.h), if the server accepts them; otherwise it is JSON.
#pragma once

#include "common/messages/node_report.h"
#include "common/messages/tables.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

inline constexpr std::string_view node_tables_name = "node.report";

// The members of a report that are values.
struct ReportHead {
  std::optional<std::string> time;
  std::optional<double> interval_s;
  std::optional<std::string> renderer, swap_group;

  static ReportHead of(const NodeReport& report) {
    return {report.time, report.interval_s, report.renderer, report.swap_group};
  }
  void put_into(NodeReport& report) const {
    report.time = time;
    report.interval_s = interval_s;
    report.renderer = renderer;
    report.swap_group = swap_group;
  }

  static constexpr bool closed = false;
  static void members(auto& head, auto& visit) {
    visit("time", head.time, Tolerated{}, report_text_max);
    visit("interval_s", head.interval_s, Tolerated{});
    visit("renderer", head.renderer, Tolerated{}, report_text_max);
    visit("swap_group", head.swap_group, Tolerated{}, report_text_max);
  }
};

// Columns of urgent figures: those that show losses, and what tiles show. The second list is added if flows have two
// paths, to monitor both.
inline constexpr std::array<std::string_view, 10> urgent_of_flows{
    "flow",     "receiving", "ssrc", "cpu", "lost", "lost_settled", "kernel_drops", "kernel_drops_settled",
    "repaired", "rebuilt"};
inline constexpr std::array<std::string_view, 2> urgent_of_paths{"packets", "second_path"};
inline constexpr std::array<std::string_view, 9> urgent_of_tiles{
    "tile", "frame", "fps", "pattern", "presented", "frames_due", "shown_whole", "shown_concealed", "not_shown"};
// Those of them that are figures, as rows of their tables: a report need not have others if the message is not
// detailed.
std::span<const std::size_t> urgent_figures_of_flows();
std::span<const std::size_t> urgent_figures_of_tiles();

// The node's end.
class NodeTablesSender {
public:
  // Whether the next message has all figures, whatever is asked.
  [[nodiscard]] bool needs_all() const { return full_; }
  // The next message. `detailed`: with all figures; otherwise with the urgent ones. The first message is full.
  std::string message(const NodeReport& report, bool detailed);
  // The server has missed a message: the next one is full.
  void begin_anew() { full_ = true; }

private:
  TableSender tables_;
  std::vector<TableRow> flows_, tiles_;  // for their memory
  bool full_ = true;
};

// The server's end.
class NodeTablesReceiver {
public:
  // Takes a message, as parse_cbor reads it, and returns the complete report, valid until the next call. After an
  // error, a full message must come first.
  Result<const NodeReport*> take(Json message);

private:
  Result<void> update(Json message);

  TableReceiver tables_;
  NodeReport report_;
};

// The answer to node.hello. Servers of earlier versions do not mention tables.
struct NodeHelloReply {
  int protocol = 0;
  bool tables = false;      // the server accepts reports as tables
  std::uint64_t epoch = 0;  // of the server as coordinator; 0: servers of earlier versions do not say

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("protocol", reply.protocol, MayBeAbsent{}, Whole{0, 1'000'000});
    visit("tables", reply.tables, MayBeAbsent{});
    visit("epoch", reply.epoch, MayBeAbsent{});
  }
  bool operator==(const NodeHelloReply&) const = default;
};

// node.tables, to a node: how it must send its reports.
struct NodeTablesWanted {
  bool full = false;           // the next message must be full
  unsigned every = 1;          // all figures are wanted in every Nth report
  bool records = true;         // frame records are wanted
  unsigned interval_ms = 100;  // from one report to the next; nodes of earlier versions always take 100

  static constexpr bool closed = false;
  static void members(auto& wanted, auto& visit) {
    visit("full", wanted.full, MayBeAbsent{});
    visit("every", wanted.every, MayBeAbsent{}, Whole{1, 100});
    visit("interval_ms", wanted.interval_ms, MayBeAbsent{}, Whole{100, 1000});
    visit("records", wanted.records, MayBeAbsent{});
  }
  bool operator==(const NodeTablesWanted&) const = default;
};

}  // namespace lw
