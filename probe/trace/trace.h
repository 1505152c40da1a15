// What became of the frames of some seconds on all hosts of a wall, and the stages that it makes. Pure values.
#pragma once

#include "common/metrics/frame_record.h"
#include "common/wall/wall_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lw {

struct TracedHost {
  std::string name;
  bool server = false;
  std::uint64_t dropped = 0;  // records that it had no room for, meanwhile
  // Maximum difference of its clock from the wall's, as reported while tracing.
  std::vector<std::pair<WallTime, double>> clock_error_us;
};

struct Trace {
  Wall wall;                                               // its tiles, flows and nodes
  std::string sender_is = "server", receiver_is = "node";  // what people call its hosts
  WallTime begin{};
  WallTime end{};                    // of the media times of the frames
  std::vector<FrameRecord> records;  // of these frames
  std::vector<TracedHost> hosts;     // the server first
  std::uint64_t missed = 0;          // records that were gone before they could be asked for
};

// docs/metrics.md, Stages.
enum class StageKind : std::uint8_t { read, queue, send, flight, assemble, wait, upload, swap };
inline constexpr std::size_t stage_count = 8;
const char* name_of(StageKind kind);

struct Stage {
  StageKind kind = StageKind::read;
  const FrameRecord* record = nullptr;  // of the step that ends it
  WallTime from{};
  WallTime to{};  // before `from` only in flight, where two clocks differ
};

// All that were measured; pointers are into the trace.
std::vector<Stage> stages_of(const Trace& trace);

// What was sent and of which its node noted nothing, though it noted frames of the flow before and after.
std::vector<const FrameRecord*> vanished(const Trace& trace);

}  // namespace lw
