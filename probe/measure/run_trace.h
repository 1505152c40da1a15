// The life of the frames of a run's traced load, from both sides' reports, in the form of a wall's trace: the sender is
// the server, the receiver the only node, and each flow a tile (for a visualization: a band of the only tile). Nothing
// is shown.
#pragma once

#include "common/base/result.h"
#include "probe/loads/load.h"
#include "probe/trace/trace.h"

#include <nlohmann/json_fwd.hpp>

namespace lw {

class RunTrace {
public:
  // For a load with `trace`.
  explicit RunTrace(const LoadSpec& load);

  // Adds the RunFrames of a side's progress; an error if they are invalid.
  Result<void> add(const nlohmann::json& frames);
  // Takes hosts and clocks from the run's result. An error if no frame was reported, or if a report is invalid.
  Result<Trace> finish(const nlohmann::json& result);

private:
  void name_hosts(const nlohmann::json& hosts);

  const bool from_client_;
  Trace trace_;
};

}  // namespace lw
