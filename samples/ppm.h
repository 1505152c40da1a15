// Writes images as binary PPM files: simple, lossless and universally readable.
#pragma once

#include "common/base/result.h"
#include "samples/tone_map.h"

#include <filesystem>

namespace lw::cosmos {

// A folder of numbered images, 00000.ppm and so on. Creates it if necessary, and removes such images of an earlier run.
class PpmFolder {
public:
  static Result<PpmFolder> open(const std::filesystem::path& folder);
  Result<void> write(int number, const Picture& picture) const;

private:
  explicit PpmFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

}  // namespace lw::cosmos
