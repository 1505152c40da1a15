// Writes the stripe files of a store. Data goes to the disk at once: it bypasses the page cache if the filesystem
// allows it and pieces are large enough, and otherwise uses a bounded amount of dirty pages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/store/stripe_layout.h"
#include "ingest/dirty_bound.h"
#include "ingest/right_of_way.h"

namespace lw {

class StripeOutput {
public:
  // `way` may be null, and must outlive this object. `piece_bytes`: size of a single write.
  StripeOutput(RightOfWay* way, std::size_t piece_bytes);
  ~StripeOutput();  // closes the files
  StripeOutput(const StripeOutput&) = delete;
  StripeOutput& operator=(const StripeOutput&) = delete;

  void add(int fd);  // opened for reading and writing; files count from 0
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] int descriptor(unsigned file) const { return files_[file].fd; }
  [[nodiscard]] bool direct(unsigned file) const { return files_[file].direct; }

  // Writes `bytes`, padded with zeros to a multiple of store_alignment; `offset` is a multiple of it. Bytes that are
  // aligned and padded are written from where they are, others are copied. An errno, or 0.
  int write(unsigned file, std::span<const std::byte> bytes, std::uint64_t offset);
  // The same, but leaves holes for zeros. Only where the file has had no other data: it is made long enough.
  int write_with_holes(unsigned file, std::span<const std::byte> bytes, std::uint64_t offset);
  // Reads into a buffer of any alignment. An errno, or 0; EIO if the file ends before.
  [[nodiscard]] int read(unsigned file, std::span<std::byte> bytes, std::uint64_t offset) const;

private:
  struct File {
    int fd = -1;
    bool direct = false;
  };
  class WriteOut;
  struct alignas(store_alignment) Block {
    std::array<std::byte, store_alignment> bytes;
  };

  int write_aligned(unsigned file, std::span<const std::byte> bytes, std::uint64_t offset);
  int write_piece(unsigned file, std::span<const std::byte> piece, std::uint64_t offset);
  int write_some(File& file, std::span<const std::byte> piece, std::uint64_t offset) const;

  RightOfWay* way_;
  std::size_t piece_bytes_;
  std::vector<File> files_;
  std::vector<Block> blocks_;        // data that is to be written and was not aligned
  std::optional<DirtyBound> bound_;  // for files without O_DIRECT
};

}  // namespace lw
