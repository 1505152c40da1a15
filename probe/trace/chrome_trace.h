// A trace in the format of Chrome's trace viewer (Trace Event Format, JSON object), which Perfetto also opens: a
// process for each host, tracks for disk stripes, flows and tiles, a slice for each stage of each frame, arrows along
// its way.
#pragma once

#include "probe/trace/trace.h"

#include <functional>
#include <string_view>

namespace lw {

// Times are in us from trace.begin less a second. Piece by piece, since a trace may be large.
void write_chrome_trace(const Trace& trace, const std::function<void(std::string_view)>& write);

}  // namespace lw
