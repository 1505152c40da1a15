#include "probe/trace/trace.h"

#include <algorithm>
#include <array>
#include <map>

namespace lw {
namespace {

using FlowFrame = std::pair<unsigned, WallTime>;  // flow, media time

std::map<FlowFrame, const FrameRecord*> by_frame(const Trace& trace, FrameStep step) {
  std::map<FlowFrame, const FrameRecord*> records;
  for (const auto& record : trace.records)
    if (record.step == step) records[{record.part, record.media_time}] = &record;
  return records;
}

class Stages {
public:
  // By one clock: negative times were not measured.
  void add(StageKind kind, const FrameRecord& record, WallTime from, WallTime to) {
    if (from != WallTime{} && to >= from) stages.push_back({kind, &record, from, to});
  }
  std::vector<Stage> stages;
};

}  // namespace

const char* name_of(StageKind kind) {
  constexpr std::array<const char*, stage_count> names{"read",     "queue", "send",   "flight",
                                                       "assemble", "wait",  "upload", "swap"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<Stage> stages_of(const Trace& trace) {
  const auto sent = by_frame(trace, FrameStep::sent);
  Stages out;
  for (const auto& record : trace.records) {
    const auto& times = record.times;
    switch (record.step) {
      case FrameStep::read:
        out.add(StageKind::read, record, times[0], times[1]);
        break;
      case FrameStep::sent:
        out.add(StageKind::queue, record, times[0], times[1]);
        out.add(StageKind::send, record, times[1], times[2]);
        break;
      case FrameStep::received: {
        const auto origin = sent.find({record.part, record.media_time});
        // Of one packet: loss is not delay.
        if (origin != sent.end() && origin->second->times[1] != WallTime{} && times[2] != WallTime{})
          out.stages.push_back({StageKind::flight, &record, origin->second->times[1], times[2]});
        out.add(StageKind::assemble, record, times[0], times[1]);
        break;
      }
      case FrameStep::shown:
        out.add(StageKind::wait, record, times[0], times[1]);
        out.add(StageKind::upload, record, times[1], times[2]);
        out.add(StageKind::swap, record, times[2] != WallTime{} ? times[2] : times[1], times[3]);
        break;
    }
  }
  return std::move(out.stages);
}

std::vector<const FrameRecord*> vanished(const Trace& trace) {
  if (trace.missed > 0) return {};
  const auto received = by_frame(trace, FrameStep::received);
  std::vector<const FrameRecord*> gone;
  for (const auto& [key, record] : by_frame(trace, FrameStep::sent)) {
    if (record->times[1] == WallTime{}) continue;
    const auto next = received.upper_bound(key);
    const auto before = received.lower_bound(key);
    const bool known = next != before;
    const bool between = next != received.end() && next->first.first == key.first && before != received.begin() &&
                         std::prev(before)->first.first == key.first;
    if (!known && between) gone.push_back(record);
  }
  return gone;
}

}  // namespace lw
