// Figures in words: what stands at an axis, and what a figure is. Names have the unit and, at the end, which of a
// distribution is meant: jitter_us_p99.
#pragma once

#include <string>
#include <string_view>

namespace lw {

std::string figure_label(std::string_view figure);       // "jitter, 99th percentile, µs"
std::string figure_definition(std::string_view figure);  // one sentence; empty where none is known

// Five significant digits, as people read them.
std::string figure_text(double value);

// Whether values of flows that go side by side add up.
bool adds_up(std::string_view figure);

}  // namespace lw
