// Runs of received rows of a band, for displays to copy. The rows between them keep the previous frame.
#pragma once

#include "wall-client/assemble/assembled_frame.h"

namespace lw {

// Calls each(first_row, rows); rows are counted within the band.
template <class Each>
void for_each_run(const ReceivedBand& band, Each each) {
  if (band.whole) {
    each(0U, band.rows);
    return;
  }
  for (unsigned row = 0; row < band.rows;) {
    unsigned end = row;
    while (end < band.rows && band.row_present(end)) ++end;
    if (end > row) each(row, end - row);
    row = end + 1;
  }
}

}  // namespace lw
