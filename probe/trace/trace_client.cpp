#include "probe/trace/trace_client.h"

#include "common/messages/frame_records.h"
#include "common/messages/info.h"
#include "common/messages/requests.h"

#include <algorithm>
#include <thread>

namespace lw {
namespace {

constexpr std::chrono::milliseconds poll_interval{100};
// Frames are read 100 ms ahead of their media time, and nodes report a frame some 200 ms after it was shown.
constexpr double before_s = 1;
constexpr std::chrono::milliseconds report_time{500};

Error not_understood() {
  return {"the server's answer is not understood", "use the same version of wall-probe and wall-server"};
}

// The properties of the wall that records refer to.
Wall wall_of(const WallInfo& info) {
  Wall wall;
  wall.name = info.name;
  std::vector<FreeTile> tiles;
  for (const auto& tile : info.tiles) tiles.push_back({tile.name, {tile.x, tile.y, tile.width, tile.height}});
  wall.set_grid(tiles.empty()
                    ? Grid{info.columns, info.rows, info.tile_width, info.tile_height, info.bezel_x, info.bezel_y}
                    : Grid::of(std::move(tiles)));
  wall.streaming.flows_per_tile = info.flows_per_tile;
  wall.streaming.playout_delay = std::chrono::milliseconds{info.playout_delay_ms};
  for (const auto& node : info.nodes) {
    auto& added = wall.nodes.emplace_back();
    added.name = node.name;
    for (const auto& cell : node.tiles) added.tiles.push_back({wall.find_tile(cell).value(), {}, 0, 0});
  }
  return wall;
}

// Fetches pieces from the server, each from the end of the previous one.
class Collector {
public:
  Collector(RpcCaller& server, Trace& trace) : server_(server), trace_(trace) {}

  // With `seconds`: starts this long ago.
  Result<void> begin(double seconds) { return take(to_json(TraceRequest{seconds, {}})); }
  Result<void> go_on() { return take(to_json(TraceRequest{{}, next_})); }
  [[nodiscard]] bool more() const { return more_; }

private:
  Result<void> take(const Json& params) {
    const auto answer = server_.call("trace", params);
    if (!answer) return answer.error();
    const auto piece = read_message<TraceReply>(*answer);
    if (!piece || piece->hosts.empty()) return not_understood();
    const auto records = frame_records(piece->records, trace_.wall);
    if (records.size() != piece->records.size()) return not_understood();
    trace_.records.insert(trace_.records.end(), records.begin(), records.end());
    next_ = piece->next;
    more_ = piece->more;
    trace_.missed += piece->missed;
    for (const auto& host : piece->hosts) take_host(host);
    return {};
  }

  void take_host(const TracedHostMessage& told) {
    const bool server = told.role == HostRole::server;
    auto host = std::ranges::find_if(
        trace_.hosts, [&](const TracedHost& known) { return known.server == server && known.name == told.name; });
    if (host == trace_.hosts.end()) {
      trace_.hosts.push_back({told.name, server, 0, {}});
      host = trace_.hosts.end() - 1;
      dropped_before_.push_back(told.dropped);
    }
    auto& before = dropped_before_[static_cast<std::size_t>(host - trace_.hosts.begin())];
    host->dropped += told.dropped >= before ? told.dropped - before : told.dropped;  // a restarted host counts from 0
    before = told.dropped;
    if (told.clock_error_us && !trace_.records.empty())
      host->clock_error_us.emplace_back(newest_time(), *told.clock_error_us);
  }
  // This program's own clock may differ.
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

// Whether all records of these frames have been reported.
bool told_of_all(const Trace& trace, std::size_t from, Nanoseconds tail) {
  return std::any_of(
      trace.records.begin() + static_cast<std::ptrdiff_t>(from), trace.records.end(),
      [&](const FrameRecord& record) { return on_network(record) && record.media_time >= trace.end + tail; });
}

}  // namespace

Result<Trace> get_trace(RpcCaller& server, const TraceSpan& span, const std::atomic<bool>& stop) {
  const auto info = server.call("info", Json::object());
  if (!info) return info.error();
  const auto told = read_message<InfoReply>(*info);
  if (!told) return not_understood();
  Trace trace;
  trace.wall = wall_of(told->wall);
  const auto length = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(span.seconds));
  const auto tail = trace.wall.streaming.playout_delay + report_time;
  Collector collector(server, trace);
  if (const auto begun = collector.begin(before_s + (span.back ? span.seconds : 0)); !begun) return begun.error();
  trace.wall.coordinator().name = trace.hosts.front().name;
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
    return Error{"no frame was sent or received meanwhile", "play a visualization; wall-control shows what arrives"};
  return trace;
}

}  // namespace lw
