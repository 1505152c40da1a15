// node.report as tables (common/messages/tables.h): for nodes whose server takes them, else it is JSON.
#pragma once

#include "common/messages/node_report.h"
#include "common/messages/tables.h"

#include <array>
#include <string>
#include <string_view>

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

// Columns of the figures that cannot wait: what shows losses, and what tiles show. The second list is added where flows
// have two paths, which are watched by these.
inline constexpr std::array<std::string_view, 8> urgent_of_flows{"flow", "receiving",    "ssrc",     "cpu",
                                                                 "lost", "kernel_drops", "repaired", "rebuilt"};
inline constexpr std::array<std::string_view, 2> urgent_of_paths{"packets", "second_path"};
inline constexpr std::array<std::string_view, 9> urgent_of_tiles{
    "tile", "frame", "fps", "pattern", "presented", "frames_due", "shown_whole", "shown_concealed", "not_shown"};

// A node's end.
class NodeTablesSender {
public:
  // The next message. `detailed`: with all figures; else with those that cannot wait: what shows losses, and what tiles
  // show. The first is a full picture.
  std::string message(const NodeReport& report, bool detailed);
  // The server has missed something.
  void begin_anew() { full_ = true; }

private:
  TableSender tables_;
  bool full_ = true;
};

// The server's end.
class NodeTablesReceiver {
public:
  // Takes in a message, as parse_cbor reads it: the report as it is now, valid until the next call. After an error a
  // full picture must come first.
  Result<const NodeReport*> take(const Json& message);

private:
  Result<void> update(const Json& message);

  TableReceiver tables_;
  NodeReport report_;
};

// The answer to node.hello. A server that does not know tables does not mention them.
struct NodeHelloReply {
  int protocol = 0;
  bool tables = false;  // it takes reports as tables

  static constexpr bool closed = false;
  static void members(auto& reply, auto& visit) {
    visit("protocol", reply.protocol, MayBeAbsent{}, Whole{0, 1'000'000});
    visit("tables", reply.tables, MayBeAbsent{});
  }
  bool operator==(const NodeHelloReply&) const = default;
};

// node.tables, to a node: how it sends them.
struct NodeTablesWanted {
  bool full = false;    // the next as a full picture
  unsigned every = 1;   // so many reports apart all figures are wanted
  bool records = true;  // of frames are wanted

  static constexpr bool closed = false;
  static void members(auto& wanted, auto& visit) {
    visit("full", wanted.full, MayBeAbsent{});
    visit("every", wanted.every, MayBeAbsent{}, Whole{1, 100});
    visit("records", wanted.records, MayBeAbsent{});
  }
  bool operator==(const NodeTablesWanted&) const = default;
};

}  // namespace lw
