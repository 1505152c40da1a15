// The life of the frames of a run's traced load, from both sides' reports, as the trace of a wall: the sender is its
// server, the receiver its one node, and each flow a tile (a visualization's: a band of the one tile). Nothing is
// shown.
#pragma once

#include "common/base/result.h"
#include "probe/loads/load.h"
#include "probe/trace/trace.h"

#include <nlohmann/json_fwd.hpp>

namespace lw {

class RunTrace {
public:
  // Of a load with `trace`.
  explicit RunTrace(const LoadSpec& load);

  // RunFrames of a side's progress; an error where they are none.
  Result<void> add(const nlohmann::json& frames);
  // With hosts and clocks as the run's result has them. An error if no frame was reported, or if a report is invalid.
  Result<Trace> finish(const nlohmann::json& result);

private:
  void name_hosts(const nlohmann::json& hosts);

  const bool from_client_;
  Trace trace_;
};

}  // namespace lw
