// Fetches a trace from a wall's server.
#pragma once

#include "common/base/result.h"
#include "common/web/rpc_caller.h"
#include "probe/trace/trace.h"

#include <atomic>

namespace lw {

struct TraceSpan {
  double seconds = 5;
  bool back = false;  // past frames; false: future ones
};

// `stop` ends it early, with the records received so far.
Result<Trace> get_trace(RpcCaller& server, const TraceSpan& span, const std::atomic<bool>& stop);

}  // namespace lw
