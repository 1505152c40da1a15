// How fast one thread decodes the frames of a store of `lossless`, and how much of their memory they use.
#pragma once

#include "bench/report.h"
#include "common/base/result.h"

#include <filesystem>

namespace lw::bench {

struct DecodeLoad {
  std::filesystem::path store;  // the folder of a visualization
  unsigned rounds = 3;          // of which the fastest counts
};

Result<Report> run(const DecodeLoad& load);

}  // namespace lw::bench
