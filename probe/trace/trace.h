// The records of all frames within some seconds, from all hosts of a wall, and the resulting stages. Pure values.
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
  std::uint64_t dropped = 0;  // records for which it had no room, during the trace
  // Maximum difference of its clock from the wall's, as reported while tracing.
  std::vector<std::pair<WallTime, double>> clock_error_us;
};

struct Trace {
  Wall wall;                                               // with tiles, flows and nodes
  std::string sender_is = "server", receiver_is = "node";  // what its hosts are called
  WallTime begin{};
  WallTime end{};                    // end of the frames' media times
  std::vector<FrameRecord> records;  // of these frames
  std::vector<TracedHost> hosts;     // server first
  std::uint64_t missed = 0;          // records that were dropped before they could be fetched
};

// docs/metrics.md, Stages.
enum class StageKind : std::uint8_t { read, queue, send, flight, assemble, wait, upload, swap };
inline constexpr std::size_t stage_count = 8;
const char* name_of(StageKind kind);

struct Stage {
  StageKind kind = StageKind::read;
  const FrameRecord* record = nullptr;  // of the step that ends the stage
  WallTime from{};
  WallTime to{};  // before `from` only in flight, if two clocks differ
};

// All stages that were measured; pointers are into the trace.
std::vector<Stage> stages_of(const Trace& trace);

// Bands that were sent and of which the node has no record, although it has records of earlier and later frames.
std::vector<const FrameRecord*> vanished(const Trace& trace);

}  // namespace lw
