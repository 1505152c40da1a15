// "calls" in a side's progress: the calls of a traced load of bursts.
#pragma once

#include "common/messages/message.h"
#include "probe/loads/call_record.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace lw {

inline constexpr std::size_t call_records_max = 4096;  // in one message

struct CallMessage {
  CallKind kind = CallKind::write;
  std::uint16_t flow = 0;
  std::uint32_t burst = 0;
  std::uint64_t bytes = 0;
  std::int64_t begin_ns = 0;  // since 1970
  std::int64_t for_ns = 0;

  static constexpr std::int64_t for_ns_max = std::int64_t{1'000'000'000'000'000};  // the longest measurement
  static constexpr bool closed = false;
  static void members(auto& call, auto& visit) {
    visit("kind", call.kind, Names<call_names.size()>{call_names});
    visit("flow", call.flow);
    visit("burst", call.burst);
    visit("bytes", call.bytes);
    visit("begin_ns", call.begin_ns, Whole{0, std::numeric_limits<std::int64_t>::max() - for_ns_max});
    visit("for_ns", call.for_ns, Whole{0, for_ns_max});
  }
  bool operator==(const CallMessage&) const = default;
};

struct RunCalls {
  std::vector<CallMessage> records;
  std::uint64_t dropped = 0;  // so far

  static constexpr bool closed = false;
  static void members(auto& calls, auto& visit) {
    visit("records", calls.records, AtMost{call_records_max});
    visit("dropped", calls.dropped);
  }
  bool operator==(const RunCalls&) const = default;
};

inline RunCalls run_calls(std::span<const CallRecord> calls, std::uint64_t dropped) {
  RunCalls message{{}, dropped};
  message.records.reserve(calls.size());
  for (const auto& call : calls)
    message.records.push_back({call.kind, call.flow, call.burst, call.bytes, call.begin.time_since_epoch().count(),
                               (call.end - call.begin).count()});
  return message;
}

inline std::vector<CallRecord> call_records(const RunCalls& message) {
  std::vector<CallRecord> calls;
  calls.reserve(message.records.size());
  for (const auto& call : message.records) {
    const WallTime begin{Nanoseconds{call.begin_ns}};
    calls.push_back({begin, begin + Nanoseconds{call.for_ns}, call.bytes, call.burst, call.flow, call.kind});
  }
  return calls;
}

}  // namespace lw
