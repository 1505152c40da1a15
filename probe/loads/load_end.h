// One end of a load: all its flows of one direction, on the host that sends them or on the one that receives them.
//
// Threads: all calls by one, but take_frames; the ends have threads of their own.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/metrics/frame_record.h"
#include "probe/loads/frame_times.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// Of one flow; units stand in the names.
using FlowFigures = std::map<std::string, double>;
struct FlowReading {
  FlowFigures totals;  // since the start
  FlowFigures gauges;  // as it is now
};

class LoadEnd {
public:
  virtual ~LoadEnd() = default;
  // Begins to send. Who receives listens from the moment it is made.
  virtual Result<void> start() { return {}; }
  // The warm-up is over: distributions begin here.
  virtual void begin_to_measure() {}
  [[nodiscard]] virtual std::vector<FlowReading> read() = 0;
  // What broke meanwhile; nothing while all is well.
  [[nodiscard]] virtual std::optional<Error> failure() { return {}; }
  // What a sender of counted messages still has to do before the measurement may end; 0: nothing, or it does not count.
  [[nodiscard]] virtual unsigned bursts_left() const { return 0; }
  // What became of frames since the last call, and how many records there was no room for so far: by one thread, not
  // after finish().
  virtual std::uint64_t take_frames(std::vector<FrameRecord>& /*into*/) { return 0; }
  // Ends the load. Returns the figures of each flow that need the entire measurement: distributions.
  virtual std::vector<FlowFigures> finish() = 0;
  // After that: when the first packets of each flow's frames left, or arrived; empty where nobody looks.
  [[nodiscard]] virtual std::vector<std::vector<FrameTime>> frame_times() { return {}; }
};

// The addresses that the flows of a direction go between, as the ends know them: numeric.
struct EndAddresses {
  std::vector<std::string> from;  // of the sender, in turn; empty: the kernel's choice
  std::string to;
  std::string from_peer;  // where packets may come from, if `from` is empty; empty: from anywhere
};

}  // namespace lw
