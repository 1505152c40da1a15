// wall-client --dump DIR: records what was played. DIR/sound.npy (dtype <i4, shape (samples, channels), as in a store)
// has all samples in order, and DIR/sound.ndjson a line for each 100 ms, and for each break: the row of sound.npy, the
// sample's number on the wall's time, its planned presentation and when it was handed over. Both can be read while
// they grow.
#pragma once

#include "common/base/descriptor.h"
#include "common/base/result.h"
#include "wall-client/sound/sound_output.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

namespace lw {

class SoundDump final : public SoundOutput {
public:
  static Result<std::unique_ptr<SoundOutput>> open(const std::filesystem::path& directory);
  ~SoundDump() override;  // writes the number of samples into the header

  // Channels of the file are those of the first part; of others, the first ones are written.
  void play(const PlayedSound& part) override;
  [[nodiscard]] std::string text() const override { return file_.string(); }

private:
  explicit SoundDump(std::filesystem::path file) : file_(std::move(file)) {}
  void write_header();
  void note(const PlayedSound& part);

  const std::filesystem::path file_;
  Descriptor samples_;
  std::ofstream times_;
  unsigned channels_ = 0;
  std::uint64_t rows_ = 0;
  std::int64_t expected_ = 0;  // the sample that follows the one before
  std::uint64_t noted_ = 0;    // row of the last line
  std::vector<std::int32_t> mapped_;
  bool failed_ = false;
};

}  // namespace lw
