// Writes a trace in the format of Chrome's trace viewer (Trace Event Format, JSON object), which Perfetto also opens: a
// process for each host, tracks for disk stripes, flows and tiles, a slice for each stage of each frame, and arrows
// along its path.
#pragma once

#include "probe/trace/trace.h"

#include <functional>
#include <string_view>

namespace lw {

// Times are in us since one second before trace.begin. Written in pieces, since a trace may be large.
void write_chrome_trace(const Trace& trace, const std::function<void(std::string_view)>& write);

}  // namespace lw
