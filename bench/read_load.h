// Reads a visualization as playback does (OpenStore, StripeReader, FramePool), but as fast as the disks can.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"
#include "server/read/stripe_reader.h"

#include <chrono>
#include <filesystem>

namespace lw::bench {

struct ReadLoad {
  std::filesystem::path store;
  std::chrono::milliseconds duration{5000};
  ReaderSettings settings;
  unsigned frames_under_way = 4;
  int cpu = 0;
};

Result<Report> run(const ReadLoad& load);

}  // namespace lw::bench
