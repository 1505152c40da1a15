// Values with their units as people write them ("10 ms", "1 MiB"), and round values for the ticks of an axis. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lw {

// Times ("ns", "µs", "ms", "s") and sizes ("bytes"): each tick of an axis has the unit that suits its value. All other
// units belong into the axis' label.
bool has_prefixes(std::string_view unit);

// At most four significant digits for times and sizes, otherwise five. `unit` is that of the value; may be empty.
std::string quantity_text(double value, std::string_view unit);

// Up to about nine round values within a range, in ascending order: in steps of 1, 2 or 5, or for sizes in powers of
// two. With `log` (both ends above 0), they are spaced evenly on a logarithmic axis.
std::vector<double> round_ticks(double low, double high, bool log, std::string_view unit);

}  // namespace lw
