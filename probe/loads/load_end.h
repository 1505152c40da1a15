// One end of a load: all its flows of one direction, on the host that sends them or on the host that receives them.
//
// Threads: all calls from one thread, except take_frames; the ends have their own threads.
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/metrics/frame_record.h"
#include "common/net/address.h"
#include "probe/loads/call_record.h"
#include "probe/loads/frame_times.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lw {

// Figures of one flow; names contain the unit.
using FlowFigures = std::map<std::string, double>;
struct FlowReading {
  FlowFigures totals;  // since the start
  FlowFigures gauges;  // current values
};

class LoadEnd {
public:
  virtual ~LoadEnd() = default;
  // Begins to send. A receiver listens from its construction on.
  virtual Result<void> start() { return {}; }
  // The warm-up has ended: distributions begin here.
  virtual void begin_to_measure() {}
  // The time is over: distributions end here, although the load continues until finish(). May be called again.
  virtual void end_to_measure() {}
  [[nodiscard]] virtual std::vector<FlowReading> read() = 0;
  // The error that stopped the load; empty if there is none.
  [[nodiscard]] virtual std::optional<Error> failure() { return {}; }
  // How many bursts a sender of counted bursts must still send before the measurement may end; 0 for other ends.
  [[nodiscard]] virtual unsigned bursts_left() const { return 0; }
  // Appends the frame records since the last call, and returns how many found no room so far. From one thread, not
  // after finish().
  virtual std::uint64_t take_frames(std::vector<FrameRecord>& /*into*/) { return 0; }
  // The same for the calls of a traced load of bursts.
  virtual std::uint64_t take_calls(std::vector<CallRecord>& /*into*/) { return 0; }
  // Ends the load. Returns figures of each flow that need the complete measurement: distributions.
  virtual std::vector<FlowFigures> finish() = 0;
  // Call after finish(): when the first packets of each flow's frames left or arrived; empty if not recorded.
  [[nodiscard]] virtual std::vector<std::vector<FrameTime>> frame_times() { return {}; }
};

// The addresses between which the flows of a direction run, numeric.
struct EndAddresses {
  std::vector<std::string> from;  // of the sender, in turn; empty: the kernel's choice
  std::string to;
  std::string from_peer;  // the allowed source of packets if `from` is empty; empty: any

  // Where a flow is sent from and to. `port`: the receiver's.
  struct OfFlow {
    Address local, peer;
  };
  [[nodiscard]] Result<OfFlow> of_flow(unsigned flow, std::uint16_t port) const;
};

}  // namespace lw
