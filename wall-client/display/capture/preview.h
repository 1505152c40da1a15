// A preview of what a tile shows, for the operator's view of the wall. The control thread requests it, the presenter
// makes it when it has time to spare, and the control thread takes and sends it. The two threads pass one preview per
// tile back and forth: neither waits, and nothing is allocated after the first.
#pragma once

#include "common/wall/wall_file.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lw {

inline constexpr unsigned preview_side_max = 192;  // pixels

using Rgb8 = std::array<std::uint8_t, 3>;

struct SmallPicture {
  // For a tile of this size: as large as fits into preview_side_max in both directions, but no larger than the tile.
  SmallPicture(unsigned tile_width, unsigned tile_height);

  unsigned width;
  unsigned height;
  std::vector<std::uint8_t> rgb;       // rows from top to bottom
  std::optional<std::uint32_t> frame;  // of the visualization
};

// Each pixel is the mean of four of the tile's pixels, which at(x, y) provides.
template <class At>
void reduce(unsigned tile_width, unsigned tile_height, SmallPicture& picture, At at) {
  std::size_t out = 0;
  for (unsigned row = 0; row < picture.height; ++row) {
    for (unsigned column = 0; column < picture.width; ++column) {
      std::array<unsigned, 3> sum{};
      for (const unsigned part : {0U, 1U, 2U, 3U}) {
        const unsigned x = (4 * column + 1 + 2 * (part % 2)) * tile_width / (4 * picture.width);
        const unsigned y = (4 * row + 1 + 2 * (part / 2)) * tile_height / (4 * picture.height);
        const Rgb8 color = at(x, y);
        for (std::size_t i = 0; i < 3; ++i) sum[i] += color[i];
      }
      for (const unsigned value : sum) picture.rgb[out++] = static_cast<std::uint8_t>((value + 2) / 4);
    }
  }
}

// Empty if it cannot be encoded.
std::string png_of(const SmallPicture& picture);

class PreviewSlot {
public:
  PreviewSlot(TileIndex tile, unsigned tile_width, unsigned tile_height)
      : tile_(tile), picture_(tile_width, tile_height) {}

  [[nodiscard]] TileIndex tile() const { return tile_; }

  // Control thread. ask() does nothing while a preview is being made or is ready.
  void ask() {
    auto idle = State::idle;
    state_.compare_exchange_strong(idle, State::asked);
  }
  [[nodiscard]] const SmallPicture* ready() const {
    return state_.load(std::memory_order_acquire) == State::ready ? &picture_ : nullptr;
  }
  void give_back() { state_.store(State::idle, std::memory_order_release); }  // if ready

  // Presenter.
  [[nodiscard]] bool asked() const { return state_.load(std::memory_order_acquire) == State::asked; }
  SmallPicture& picture() { return picture_; }  // while asked
  void hand_over() { state_.store(State::ready, std::memory_order_release); }

private:
  enum class State : std::uint8_t { idle, asked, ready };
  const TileIndex tile_;
  SmallPicture picture_;
  std::atomic<State> state_{State::idle};
};

}  // namespace lw
