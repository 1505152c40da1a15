// A node without windows: keeps every tile's picture in memory, with the same concealment as the windows, so that a dump
// shows what a window would have shown.
#include "wall-client/present/display.h"
#include "wall-client/present/to_rgb.h"

#include <cstring>
#include <map>

namespace lw {
namespace {

class HeadlessDisplay final : public Display {
public:
  HeadlessDisplay(const Wall& wall, const WallNode& node) : width_(wall.tile_width), height_(wall.tile_height) {
    // RGB is the largest of the formats.
    for (const auto& placement : node.tiles) tiles_[placement.tile].pixels.resize(row_bytes(PixelFormat::rgb8, width_) * height_);
  }

  void upload(TileId id, const AssembledFrame& frame) override {
    Tile& tile = tiles_.at(id);
    tile.format = frame.format;
    const std::size_t row_size = row_bytes(frame.format, width_);
    for (const auto& band : frame.bands) {
      std::byte* to = tile.pixels.data() + band.first_row * row_size;
      if (band.whole) {
        std::memcpy(to, band.pixels, band.rows * row_size);
        continue;
      }
      for (unsigned row = 0; row < band.rows; ++row)
        if (band.row_present(row)) std::memcpy(to + row * row_size, band.pixels + row * row_size, row_size);
    }
  }

  WallTime swap(TileId) override { return WallClock::now(); }
  void set_overlay(const TileOverlay&) override {}
  bool poll_events() override { return true; }
  [[nodiscard]] std::string renderer() const override { return {}; }

  Picture read_back(TileId id) override {
    const Tile& tile = tiles_.at(id);
    const bool sixteen = tile.format == PixelFormat::ycbcr422_10;
    Picture picture{width_, height_, sixteen, std::vector<std::byte>(std::size_t{width_} * height_ * 3 * (sixteen ? 2 : 1))};
    const std::size_t row_size = row_bytes(tile.format, width_);
    for (unsigned row = 0; row < height_; ++row) {
      const std::byte* from = tile.pixels.data() + row * row_size;
      const std::size_t first = std::size_t{row} * width_ * 3;
      if (sixteen) row_to_rgb16(tile.format, from, width_, reinterpret_cast<std::uint16_t*>(picture.pixels.data()) + first);
      else row_to_rgb8(tile.format, from, width_, reinterpret_cast<std::uint8_t*>(picture.pixels.data()) + first);
    }
    return picture;
  }

private:
  struct Tile {
    std::vector<std::byte> pixels;
    PixelFormat format = PixelFormat::rgb8;
  };
  unsigned width_;
  unsigned height_;
  std::map<TileId, Tile> tiles_;
};

}  // namespace

Result<std::unique_ptr<Display>> Display::open_headless(const Wall& wall, const WallNode& node) {
  return std::unique_ptr<Display>(std::make_unique<HeadlessDisplay>(wall, node));
}

}  // namespace lw
