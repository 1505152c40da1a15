#include "wall-client/display/cards/conceal_mark.h"

#include "wall-client/assemble/row_runs.h"

#include <algorithm>

namespace lw {
namespace {

// Okabe and Ito's palette.
constexpr Rgba mark_orange{230, 159, 0, 255};
constexpr Rgba black{0, 0, 0, 255};

// A bar, and the black one below it that stands out by a quarter of its width.
void add_bars(std::vector<MarkBar>& bars, unsigned tile_width, unsigned row, unsigned rows) {
  const unsigned width = std::clamp(tile_width / 80, 4U, 24U);
  const unsigned edge = std::max(1U, width / 4);
  bars.push_back({0, row, width + edge, rows, black});
  bars.push_back({tile_width - width - edge, row, width + edge, rows, black});
  bars.push_back({0, row, width, rows, mark_orange});
  bars.push_back({tile_width - width, row, width, rows, mark_orange});
}

}  // namespace

std::vector<MarkBar> conceal_marks(const AssembledFrame& frame, unsigned width, unsigned height) {
  std::vector<MarkBar> bars;
  if (frame.whole) return bars;
  std::vector<bool> came(height);
  for (const auto& band : frame.bands)
    for_each_run(band,
                 [&](unsigned row, unsigned rows) { std::fill_n(came.begin() + band.first_row + row, rows, true); });
  for (unsigned row = 0; row < height;) {
    unsigned end = row;
    while (end < height && !came[end]) ++end;
    if (end > row) add_bars(bars, width, row, end - row);
    row = end + 1;
  }
  return bars;
}

}  // namespace lw
