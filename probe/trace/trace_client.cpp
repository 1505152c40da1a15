#include "probe/trace/trace_client.h"

#include "common/messages/frame_records.h"

#include <algorithm>
#include <thread>

namespace lw {
namespace {

constexpr std::chrono::milliseconds poll_interval{100};
// Frames are read 100 ms ahead of their media time, and what nodes note of one comes some 200 ms after it was shown.
constexpr double before_s = 1;
constexpr std::chrono::milliseconds report_time{500};

Error not_understood() {
  return {"the server's answer is not understood", "use the same version of wall-probe and wall-server"};
}

// What the records need to know of the wall; the limits are those of a wall file.
Result<Wall> wall_of(const Json& info) {
  try {
    const auto& from = info.at("wall");
    Wall wall;
    wall.name = from.at("name").get<std::string>();
    const auto columns = whole_number(from.at("columns"), 64);
    const auto rows = whole_number(from.at("rows"), 64);
    const auto flows = whole_number(from.at("flows_per_tile"), 16);
    const auto delay_ms = whole_number(from.at("playout_delay_ms"), 10'000);
    if (!columns || !rows || !flows || !delay_ms || *columns * *rows * *flows == 0) return not_understood();
    wall.columns = static_cast<unsigned>(*columns);
    wall.rows = static_cast<unsigned>(*rows);
    wall.streaming.flows_per_tile = static_cast<unsigned>(*flows);
    wall.streaming.playout_delay = std::chrono::milliseconds{*delay_ms};
    for (const auto& node : from.at("nodes")) {
      WallNode& added = wall.nodes.emplace_back();
      added.name = node.at("name").get<std::string>();
      for (const auto& tile : node.at("tiles")) {
        const auto column = whole_number(tile.at(0), 63);
        const auto row = whole_number(tile.at(1), 63);
        if (!column || !row) return not_understood();
        added.tiles.push_back({{static_cast<unsigned>(*column), static_cast<unsigned>(*row)}, {}, 0, 0});
      }
    }
    for (unsigned index = 0; index < wall.tile_count(); ++index)
      if (std::ranges::none_of(wall.nodes, [&](const WallNode& node) {
            return std::ranges::find(node.tiles, wall.tile(index), &TilePlacement::tile) != node.tiles.end();
          }))
        return not_understood();
    return wall;
  } catch (const Json::exception&) {
    return not_understood();
  }
}

// Takes pieces from the server, from where the one before ended.
class Collector {
public:
  Collector(RpcCaller& server, Trace& trace) : server_(server), trace_(trace) {}

  // With `seconds`: from so long ago on.
  Result<void> begin(double seconds) { return take({{"seconds", seconds}}); }
  Result<void> go_on() { return take({{"after", next_}}); }
  [[nodiscard]] bool more() const { return more_; }

private:
  Result<void> take(const Json& params) {
    const auto piece = server_.call("trace", params);
    if (!piece) return piece.error();
    try {
      const auto records = frame_records(piece->at("records").get_ref<const Json::array_t&>(), trace_.wall);
      if (!records || records->size() != piece->at("records").size()) return not_understood();
      trace_.records.insert(trace_.records.end(), records->begin(), records->end());
      const auto next = whole_number(piece->at("next"));
      const auto missed = whole_number(piece->at("missed"));
      if (!next || !missed) return not_understood();
      next_ = *next;
      more_ = piece->at("more").get<bool>();
      trace_.missed += *missed;
      for (const auto& host : piece->at("hosts"))
        if (!take_host(host)) return not_understood();
      if (trace_.hosts.empty()) return not_understood();
    } catch (const Json::exception&) {
      return not_understood();
    }
    return {};
  }

  // False where it is not understood.
  bool take_host(const Json& json) {
    const bool server = json.at("role") == "server";
    const auto name = json.at("name").get<std::string>();
    const auto dropped = whole_number(json.at("dropped"));
    if (!dropped) return false;
    auto host = std::ranges::find_if(
        trace_.hosts, [&](const TracedHost& known) { return known.server == server && known.name == name; });
    if (host == trace_.hosts.end()) {
      trace_.hosts.push_back({name, server, 0, {}});
      host = trace_.hosts.end() - 1;
      dropped_before_.push_back(*dropped);
    }
    auto& before = dropped_before_[static_cast<std::size_t>(host - trace_.hosts.begin())];
    host->dropped += *dropped >= before ? *dropped - before : *dropped;  // a restarted one counts anew
    before = *dropped;
    if (json.contains("clock_error_us") && !trace_.records.empty())
      host->clock_error_us.emplace_back(newest_time(), json.at("clock_error_us").get<double>());
    return true;
  }
  // This program's own clock may be another.
  [[nodiscard]] WallTime newest_time() const { return trace_.records.back().media_time; }

  RpcCaller& server_;
  Trace& trace_;
  std::uint64_t next_ = 0;
  bool more_ = false;
  std::vector<std::uint64_t> dropped_before_;
};

bool on_network(const FrameRecord& record) {
  return record.step == FrameStep::sent || record.step == FrameStep::received;
}

// Whether all that became of these frames has been told.
bool told_of_all(const Trace& trace, std::size_t from, Nanoseconds tail) {
  return std::any_of(
      trace.records.begin() + static_cast<std::ptrdiff_t>(from), trace.records.end(),
      [&](const FrameRecord& record) { return on_network(record) && record.media_time >= trace.end + tail; });
}

}  // namespace

Result<Trace> get_trace(RpcCaller& server, const TraceSpan& span, const std::atomic<bool>& stop) {
  const auto info = server.call("info", Json::object());
  if (!info) return info.error();
  auto wall = wall_of(*info);
  if (!wall) return wall.error();
  Trace trace;
  trace.wall = std::move(*wall);
  const auto length = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(span.seconds));
  const auto tail = trace.wall.streaming.playout_delay + report_time;
  Collector collector(server, trace);
  if (const auto begun = collector.begin(before_s + (span.back ? span.seconds : 0)); !begun) return begun.error();
  trace.wall.server.name = trace.hosts.front().name;
  while (collector.more())
    if (const auto done = collector.go_on(); !done) return done.error();

  if (span.back) {
    for (const auto& record : trace.records)
      if (record.step == FrameStep::shown) trace.end = std::max(trace.end, record.media_time);
    trace.begin = trace.end - length;
  } else {
    const auto before = trace.records.size();
    const auto until = LocalClock::now() + length + 2 * tail;
    for (auto looked = before; !stop && LocalClock::now() < until; looked = trace.records.size()) {
      if (!collector.more()) std::this_thread::sleep_for(poll_interval);
      if (const auto done = collector.go_on(); !done) return done.error();
      for (auto i = looked; i < trace.records.size() && trace.begin == WallTime{}; ++i)
        if (on_network(trace.records[i])) trace.begin = trace.records[i].media_time;
      trace.end = trace.begin + length;
      if (trace.begin != WallTime{} && told_of_all(trace, looked, tail)) break;
    }
  }
  std::erase_if(trace.records, [&](const FrameRecord& record) {
    return record.media_time < trace.begin || record.media_time >= trace.end;
  });
  if (trace.records.empty())
    return Error{"no frame was sent or received meanwhile", "play something; wall-control shows what arrives where"};
  return trace;
}

}  // namespace lw
