// Texts for figures: labels of axes, and definitions. A figure's name has its unit and, at the end, the part of its
// distribution: jitter_us_p99.
#pragma once

#include <string>
#include <string_view>

namespace lw {

std::string figure_label(std::string_view figure);       // "jitter, 99th percentile, µs"
std::string figure_words(std::string_view figure);       // without the unit: "jitter, 99th percentile"
std::string_view figure_unit(std::string_view figure);   // "µs"; empty if it has none
std::string figure_definition(std::string_view figure);  // one sentence; empty if unknown

// Five significant digits, in human-readable form.
std::string figure_text(double value);

// Whether values of parallel flows add up.
bool adds_up(std::string_view figure);

}  // namespace lw
