// Reads the sound of a store. Sound is small beside the frames, and is read through the page cache: the kernel is asked
// for it a second ahead, so that a read finds it in memory. One thread.
#pragma once

#include "server/read/open_store.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lw {

class SoundReader {
public:
  // Of this store from now on; null: of none.
  void use(std::shared_ptr<const OpenStore> store);
  // Asks the kernel for samples that will be needed soon.
  static void prepare(const OpenStore& store, std::int64_t sample);

  [[nodiscard]] unsigned channels() const { return sound() != nullptr ? sound()->channels : 0; }
  // Samples from `first` on into `out`, as many of each channel as have room; silence if the store has none at
  // that place, or they cannot be read.
  void read(std::int64_t first, std::span<std::int32_t> out);
  [[nodiscard]] std::uint64_t failures() const { return failures_; }

private:
  static constexpr std::int64_t block_samples = 4096;

  [[nodiscard]] const SoundFile* sound() const { return store_ ? store_->sound() : nullptr; }
  void load(std::int64_t first);

  std::shared_ptr<const OpenStore> store_;
  std::vector<std::int32_t> block_;  // interleaved; allocated with the store
  std::int64_t block_first_ = 0;
  std::int64_t block_count_ = 0;
  std::uint64_t failures_ = 0;
};

}  // namespace lw
