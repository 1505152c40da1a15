// What the presenter's thread spends on getting frames to the GPU, with each way of uploading: it draws the tiles of a
// node as the program does, without a window, while another thread writes the frames into their band buffers, as the
// kernel does for a receiver.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"
#include "wall-client/display/display.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace lw::bench {

struct UploadLoad {
  unsigned tiles = 2;
  unsigned width = 3840;
  unsigned height = 2160;
  double fps = 60;          // of each tile; 0: as fast as possible
  unsigned slot_bytes = 0;  // of packets in slots, in which the frames lie; 0: in rows
  // With their names in the report, in turns.
  std::vector<std::pair<std::string, UploadPath>> ways{{"client", UploadPath::client},
                                                       {"mapped", UploadPath::mapped},
                                                       {"pinned", UploadPath::pinned},
                                                       {"driver", UploadPath::driver}};
  unsigned rounds = 3;
  std::chrono::milliseconds duration{1000};  // of each way in each round
};

Result<Report> run(const UploadLoad& load);

}  // namespace lw::bench
