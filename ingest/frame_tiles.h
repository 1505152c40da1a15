// The memory for one frame, cut into its tiles: each tile is a record as the store has it, aligned and padded with
// zeros, so that it goes to the disk without another copy. If frames lie as packets, the pixels are at a record's end
// until arrange() moves them into their slots.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/base/result.h"
#include "common/store/stripe_layout.h"

namespace lw {

class FrameTiles {
public:
  // Room for `tiles` tiles of the layout's sizes.
  static Result<FrameTiles> allocate(const StripeLayout& layout, unsigned tiles);
  static std::size_t bytes_of(const StripeLayout& layout, unsigned tiles);

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(places_.size()); }
  [[nodiscard]] std::span<std::byte> pixels(TileIndex tile) const {
    return place(tile).slots ? record(tile).last(place(tile).pixels) : record(tile).first(place(tile).pixels);
  }
  // Its pixels are there, and their sum.
  void arrange(TileIndex tile) {
    if (const auto& slots = place(tile).slots) slots->open_up(record(tile).data());
  }
  // The pixels and their padding.
  [[nodiscard]] std::span<std::byte> record(TileIndex tile) const {
    return {memory_.get() + place(tile).offset, place(tile).record};
  }
  [[nodiscard]] std::uint64_t& sum(TileIndex tile) { return places_[tile.value].sum; }  // of the pixels

private:
  struct Place {
    std::size_t offset = 0;
    std::size_t record = 0;  // bytes
    std::size_t pixels = 0;  // of these
    std::uint64_t sum = 0;
    std::optional<TileSlots> slots;
  };
  [[nodiscard]] const Place& place(TileIndex tile) const { return places_[tile.value]; }

  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  // Not `Pages`: reserved huge pages and locked memory are for servers, beside which an import may run.
  std::unique_ptr<std::byte, Free> memory_;
  std::vector<Place> places_;
};

}  // namespace lw
