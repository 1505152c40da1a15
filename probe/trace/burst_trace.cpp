#include "probe/trace/burst_trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace lw {
namespace {

using Json = nlohmann::json;

bool same_stage(const CallRecord& one, const CallRecord& other) {
  return std::tie(one.flow, one.burst, one.kind) == std::tie(other.flow, other.burst, other.kind);
}

class BurstWriter {
public:
  BurstWriter(const BurstTrace& trace, const std::function<void(std::string_view)>& write)
      : trace_(trace), write_(write), zero_(std::ranges::min(trace.calls, {}, &CallRecord::begin).begin) {}

  void run() {
    const Json other{{"program", "wall-probe"},
                     {"version", LW_VERSION},
                     {"zero_ns", zero_.time_since_epoch().count()},
                     {"clock", "the sending host's; ts 0 is zero_ns nanoseconds after 1970 UTC"},
                     {"records_missing", trace_.missing}};
    write_("{\"displayTimeUnit\":\"ms\",\"otherData\":" + other.dump() + ",\"traceEvents\":[");
    name_tracks();
    bursts();
    for (const auto& call : trace_.calls)
      slice(std::string(name_of(call.kind)), call, call.begin, call.end, call.bytes);
    write_("\n]}\n");
  }

private:
  [[nodiscard]] double us(WallTime time) const { return static_cast<double>((time - zero_).count()) / 1000; }

  void event(const Json& json) {
    write_((std::exchange(first_, false) ? "\n" : ",\n") + json.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  void name_tracks() {
    const auto meta = [&](const char* what, unsigned track, Json args) {
      event({{"ph", "M"}, {"name", what}, {"pid", 1}, {"tid", track}, {"ts", 0}, {"args", std::move(args)}});
    };
    meta("process_name", 0, {{"name", "sender " + trace_.host}});
    std::set<unsigned> flows;
    for (const auto& call : trace_.calls) flows.insert(call.flow);
    for (const auto flow : flows) {
      meta("thread_name", flow + 1, {{"name", fmt::format("flow {}", flow)}});
      meta("thread_sort_index", flow + 1, {{"sort_index", flow}});
    }
  }
  // From the first write to the answer.
  void bursts() {
    struct Span {
      const CallRecord* call = nullptr;
      WallTime begin = WallTime::max(), end = WallTime::min();
      std::uint64_t bytes = 0;
    };
    std::map<std::pair<unsigned, std::uint32_t>, Span> spans;
    for (const auto& call : trace_.calls) {
      if (call.kind != CallKind::write && call.kind != CallKind::answer) continue;
      auto& span = spans[{call.flow, call.burst}];
      span.call = &call;
      span.begin = std::min(span.begin, call.begin);
      span.end = std::max(span.end, call.end);
      if (call.kind == CallKind::write) span.bytes += call.bytes;
    }
    for (const auto& [key, span] : spans) slice("burst", *span.call, span.begin, span.end, span.bytes);
  }
  void slice(const std::string& name, const CallRecord& call, WallTime begin, WallTime end, std::uint64_t bytes) {
    Json args{{"burst", call.burst}};
    if (bytes > 0) args["bytes"] = bytes;
    event({{"ph", "X"},
           {"name", name},
           {"cat", "burst"},
           {"pid", 1},
           {"tid", call.flow + 1},
           {"ts", us(begin)},
           {"dur", static_cast<double>((end - begin).count()) / 1000},
           {"args", std::move(args)}});
  }

  const BurstTrace& trace_;
  const std::function<void(std::string_view)>& write_;
  const WallTime zero_;
  bool first_ = true;
};

}  // namespace

std::vector<CallRecord> burst_stages(std::vector<CallRecord> calls) {
  std::ranges::stable_sort(calls, {}, [](const CallRecord& call) { return std::tie(call.flow, call.begin); });
  std::vector<CallRecord> stages;
  for (const auto& call : calls) {
    if (!stages.empty() && same_stage(stages.back(), call)) {
      stages.back().end = std::max(stages.back().end, call.end);
      stages.back().bytes += call.bytes;
    } else {
      stages.push_back(call);
    }
  }
  return stages;
}

void write_burst_trace(const BurstTrace& trace, const std::function<void(std::string_view)>& write) {
  if (!trace.calls.empty()) BurstWriter(trace, write).run();
}

Json burst_summary(const BurstTrace& trace) {
  struct Sum {
    std::size_t count = 0;
    double seconds = 0;
  };
  std::map<CallKind, Sum> sums;
  std::set<unsigned> flows;
  std::set<std::uint32_t> bursts;
  double total = 0;
  for (const auto& call : trace.calls) {
    const double seconds = std::chrono::duration<double>(call.end - call.begin).count();
    auto& sum = sums[call.kind];
    ++sum.count;
    sum.seconds += seconds;
    total += seconds;
    flows.insert(call.flow);
    bursts.insert(call.burst);
  }
  Json stages = Json::object();
  for (const auto& [kind, sum] : sums) {
    auto& stage = stages[std::string(name_of(kind))] = {{"count", sum.count}, {"s", sum.seconds}};
    if (total > 0) stage["share"] = sum.seconds / total;
  }
  return {{"flows", flows.size()},
          {"bursts", bursts.size()},
          {"records", trace.calls.size()},
          {"records_missing", trace.missing},
          {"stages", std::move(stages)}};
}

}  // namespace lw
