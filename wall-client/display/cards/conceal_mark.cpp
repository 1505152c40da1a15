#include "wall-client/display/cards/conceal_mark.h"

#include <algorithm>

namespace lw {
namespace {

// Okabe and Ito's palette.
constexpr Rgba mark_orange{230, 159, 0, 255};
constexpr Rgba black{0, 0, 0, 255};

// A bar, and a black one below it that extends beyond it by a quarter of its width.
void add_bars(std::vector<MarkBar>& bars, unsigned tile_width, unsigned row, unsigned rows) {
  const unsigned width = std::clamp(tile_width / 80, 4U, 24U);
  const unsigned edge = std::max(1U, width / 4);
  bars.push_back({0, row, width + edge, rows, black});
  bars.push_back({tile_width - width - edge, row, width + edge, rows, black});
  bars.push_back({0, row, width, rows, mark_orange});
  bars.push_back({tile_width - width, row, width, rows, mark_orange});
}

}  // namespace

void conceal_marks(const AssembledFrame& frame, unsigned width, unsigned height, std::vector<MarkBar>& into) {
  into.clear();
  if (frame.whole) return;
  const auto group_rows = info(frame.format).group_rows;
  const auto came = [&](unsigned pixel_row) {
    const auto row = pixel_row / group_rows;
    return std::ranges::any_of(frame.bands, [row](const ReceivedBand& band) {
      return row - band.first_row < band.rows && band.row_present(row - band.first_row);
    });
  };
  for (unsigned row = 0; row < height;) {
    unsigned end = row;
    while (end < height && !came(end)) ++end;
    if (end > row) add_bars(into, width, row, end - row);
    row = end + 1;
  }
}

}  // namespace lw
