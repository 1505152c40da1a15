// The stores that one import writes at the same time: one, or one for each of several servers, with the tiles that the
// server sends. Each frame is decoded once for all. A store that an earlier run brought further than the others waits
// for them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/base/result.h"
#include "ingest/store_writer.h"

namespace lw {

class StoreParts {
public:
  // At least one, all for the same visualization.
  void add(std::unique_ptr<StoreWriter> part);

  // Frames that all parts have; of these, by an earlier run.
  [[nodiscard]] std::uint32_t frames() const;
  [[nodiscard]] std::uint32_t resumed_frames() const;
  [[nodiscard]] std::uint64_t frame_bytes() const;  // of the tiles that the parts hold
  [[nodiscard]] const StripeLayout& layout() const { return parts_.front()->layout(); }

  Result<void> check_space(std::uint32_t frames, std::uint64_t sound_bytes);
  // The next frame: every tile in order, with its checksum, then end_frame. As StoreWriter::write_tile.
  Result<void> write_tile(TileIndex tile, std::span<const std::byte> pixels, std::uint64_t sum);
  Result<void> end_frame();

  // Calls `act` with each part until one fails. The parts that follow keep their data for the next run.
  Result<void> each(const std::function<Result<void>(StoreWriter&)>& act);

private:
  std::vector<std::unique_ptr<StoreWriter>> parts_;
  std::uint32_t resumed_ = 0;
};

}  // namespace lw
