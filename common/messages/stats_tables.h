// `stats` as tables (common/messages/tables.h), for operators that subscribed with `telemetry`: the whole wall, its
// nodes and what each tile shows ten times a second; figures of flows only on request.
#pragma once

#include "common/messages/stats.h"
#include "common/messages/tables.h"

#include <string>

namespace lw {

inline constexpr std::string_view stats_tables_name = "stats";

// telemetry: selects the tables that a connection receives from now on.
struct TelemetryRequest {
  bool on = true;
  unsigned flows_every = 0;  // tenths of a second from one message with all figures to the next; 0: no figures of flows

  static constexpr bool closed = true;
  static void members(auto& request, auto& visit) {
    visit("on", request.on, MayBeAbsent{});
    visit("flows_every", request.flows_every, MayBeAbsent{}, Whole{0, 100});
  }
  bool operator==(const TelemetryRequest&) const = default;
};

class StatsTablesSender {
public:
  // `flows`: also the tables of flows.
  explicit StatsTablesSender(bool flows) : flows_(flows) {}

  // `all`: all columns; otherwise the urgent ones.
  void put(const Stats& stats, bool all);
  [[nodiscard]] std::string take_differences() { return tables_.take_differences(stats_tables_name); }
  [[nodiscard]] std::string full() const { return tables_.full(stats_tables_name); }

private:
  void put_nodes(const Stats& stats, bool all);

  const bool flows_;
  TableSender tables_;
};

class StatsTablesReceiver {
public:
  // Takes a message, as parse_cbor reads it, and returns the complete statistics, valid until the next call. After an
  // error, a full message must come first.
  Result<const Stats*> take(Json message);

private:
  Result<void> update(Json message);
  Result<void> read_nodes();

  TableReceiver tables_;
  Stats stats_;
};

}  // namespace lw
