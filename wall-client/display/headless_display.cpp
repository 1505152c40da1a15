// A display without windows: keeps every tile's image in memory, with the same concealment, cards and patterns as the
// windows, so that a dump shows what a window would have shown.
#include "common/pixel/block_decoder.h"
#include "wall-client/assemble/row_runs.h"
#include "wall-client/display/capture/to_rgb.h"
#include "wall-client/display/cards/card_painter.h"
#include "wall-client/display/cards/conceal_mark.h"
#include "wall-client/display/display.h"
#include "wall-client/display/output/output_stage.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace lw {
namespace {

Picture picture_of(const Card& card) {
  Picture picture{card.width(), card.height(), false, {}};
  picture.pixels.reserve(std::size_t{card.width()} * card.height() * 3);
  for (unsigned y = 0; y < card.height(); ++y)
    for (unsigned x = 0; x < card.width(); ++x)
      for (const auto value : {card.at(x, y).r, card.at(x, y).g, card.at(x, y).b})
        picture.pixels.push_back(std::byte{value});
  return picture;
}

// Blends like OpenGL: source alpha, one minus source alpha.
template <class T>
void blend(T* rgb, const Card& card) {
  constexpr double scale = sizeof(T) == 2 ? 257 : 1;
  for (unsigned y = 0; y < card.height(); ++y) {
    for (unsigned x = 0; x < card.width(); ++x, rgb += 3) {
      const Rgba over = card.at(x, y);
      const double alpha = over.a / 255.0;
      const auto mix = [alpha](T below, std::uint8_t above) {
        return static_cast<T>(above * scale * alpha + below * (1 - alpha) + 0.5);
      };
      rgb[0] = mix(rgb[0], over.r);
      rgb[1] = mix(rgb[1], over.g);
      rgb[2] = mix(rgb[2], over.b);
    }
  }
}

// As in shaders/darker.frag, rounded to the nearest value.
template <class T>
void darken(T* samples, std::size_t count, double brightness) {
  for (std::size_t i = 0; i < count; ++i) samples[i] = static_cast<T>(samples[i] * brightness + 0.5);
}

template <class T>
void fill(T* rgb, unsigned picture_width, const MarkBar& bar) {
  constexpr unsigned scale = sizeof(T) == 2 ? 257 : 1;
  for (unsigned y = bar.y; y < bar.y + bar.height; ++y) {
    T* pixel = rgb + (std::size_t{y} * picture_width + bar.x) * 3;
    for (unsigned x = 0; x < bar.width; ++x)
      for (const auto value : {bar.color.r, bar.color.g, bar.color.b}) *pixel++ = static_cast<T>(value * scale);
  }
}

// Calls draw with the image's samples in their native type.
template <class Draw>
void on_samples(Picture& picture, Draw draw) {
  if (picture.sixteen_bits)
    draw(reinterpret_cast<std::uint16_t*>(picture.pixels.data()));
  else
    draw(reinterpret_cast<std::uint8_t*>(picture.pixels.data()));
}

class HeadlessDisplay final : public Display {
public:
  HeadlessDisplay(const Wall& wall, const WallNode& node, std::map<TileIndex, OutputStage> stages)
      : primaries_(wall.colour.primaries), lock_asked_(wall.sync.swap_group > 0), stages_(std::move(stages)) {
    unsigned last = 0;
    for (const auto& placement : node.tiles) last = std::max(last, placement.tile.value);
    places_.resize(last + 1, node.tiles.size());
    tiles_.resize(node.tiles.size());
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      const auto& placement = node.tiles[i];
      places_[placement.tile.value] = i;
      Tile& tile = tiles_[i];
      tile.facts = facts_of(wall, node, placement);
      const auto height = tile.facts.height;
      tile.marks.reserve(conceal_marks_max(height));
      tile.next_marks.reserve(conceal_marks_max(height));
      tile.rows.resize(frame_bytes_max(tile.facts.width, height));
    }
  }

  void upload(TileIndex id, const AssembledFrame& frame) override {
    Tile& tile = of(id);
    const auto width = tile.facts.width;
    const auto height = tile.facts.height;
    conceal_marks(frame, width, height, tile.next_marks);
    tile.has_next_marks = true;
    const std::size_t row_size = row_bytes(frame.format, width);
    const auto rows_of_tile = group_rows(frame.format, height);
    if (tile.format != frame.format) {
      tile.format = frame.format;
      for (unsigned row = 0; row < rows_of_tile; ++row)
        fill_black(frame.format, width, tile.rows.data() + row * row_size);
    }
    for (const auto& band : frame.bands) {
      assert(band.first_row + band.rows <= rows_of_tile);
      std::byte* to = tile.rows.data() + band.first_row * row_size;
      for_each_run(band, [&](unsigned row, unsigned rows) {
        band.pixels.copy(row * row_size, rows * row_size, to + row * row_size);
      });
    }
  }

  WallTime swap(TileIndex id) override {
    Tile& tile = of(id);
    tile.has_picture = tile.format.has_value();
    if (std::exchange(tile.has_next_marks, false)) std::swap(tile.marks, tile.next_marks);
    return redraw(id);
  }
  WallTime redraw(TileIndex id) override { return of(id).drawn = WallClock::now(); }
  std::optional<ScreenTime> newest_on_screen(TileIndex) override { return std::nullopt; }
  void set_brightness(TileIndex id, double brightness) override { of(id).brightness = brightness; }
  void set_overlay(TileIndex id, const TileOverlay& overlay) override {
    if (!has(id)) return;
    of(id).overlay = overlay;
    of(id).card.reset();
  }
  bool poll_events() override { return true; }
  [[nodiscard]] bool has_events() const override { return false; }
  [[nodiscard]] SwapGroup swap_group() const override {
    return {false, lock_asked_ ? "not joined: there are no windows" : ""};
  }
  [[nodiscard]] std::string renderer() const override { return {}; }

  Picture read_back(TileIndex id) override {
    const Tile& tile = of(id);
    if (tile.overlay.pattern != Pattern::none)
      return picture_of(paint_pattern(tile.overlay.pattern, tile.facts, tile.drawn));
    Picture picture = tile.has_picture ? converted(tile) : picture_of(paint_waiting(tile.facts));
    if (tile.has_picture && tile.brightness < 1)
      on_samples(picture,
                 [&](auto* rgb) { darken(rgb, std::size_t{picture.width} * picture.height * 3, tile.brightness); });
    if (tile.overlay.mark && tile.has_picture)
      for (const auto& bar : tile.marks) on_samples(picture, [&](auto* rgb) { fill(rgb, tile.facts.width, bar); });
    if (!tile.overlay.identify) return picture;
    const Card label = paint_identify_label(tile.facts);
    on_samples(picture, [&](auto* rgb) { blend(rgb, label); });
    return picture;
  }

  Picture read_output(TileIndex id) override { return panel_picture(stages_.at(id), read_back(id)); }
  void begin_preview(TileIndex) override {}
  bool take_preview(TileIndex id, SmallPicture& into) override {
    Tile& tile = of(id);
    if (tile.overlay.pattern != Pattern::none || !tile.has_picture)
      reduce_card(tile, into);
    else
      reduce(tile.facts.width, tile.facts.height, into, [&](unsigned x, unsigned y) { return pixel_of(tile, x, y); });
    return true;
  }

private:
  struct Tile {
    TileFacts facts;
    std::vector<std::byte> rows;
    std::optional<PixelFormat> format;
    bool has_picture = false;     // an image was swapped in
    bool has_next_marks = false;  // marks were uploaded
    std::vector<MarkBar> next_marks;
    std::vector<MarkBar> marks;  // of the frame being shown
    double brightness = 1;
    TileOverlay overlay;
    std::optional<Card> card;   // the preview of a static pattern, painted on request
    std::optional<Card> label;  // the same, over a frame
    WallTime drawn{};
  };

  static void reduce_card(Tile& tile, SmallPicture& into) {
    const Pattern pattern = tile.overlay.pattern;
    if (!tile.card)
      tile.card = pattern == Pattern::none  ? paint_waiting(tile.facts)
                  : pattern == Pattern::bar ? paint_bar_background(tile.facts)
                                            : paint_pattern(pattern, tile.facts, tile.drawn);
    const Rect bar = pattern == Pattern::bar ? bar_motion(tile.facts, tile.drawn).bar : Rect{};
    reduce(tile.facts.width, tile.facts.height, into, [&](unsigned x, unsigned y) {
      const bool in_bar = x >= bar.x && x < bar.x + bar.width;
      const Rgba color = in_bar ? card_colors::white : tile.card->at(x, y);
      return Rgb8{color.r, color.g, color.b};
    });
  }

  [[nodiscard]] bool has(TileIndex id) const { return id.value < places_.size() && places_[id.value] < tiles_.size(); }
  Tile& of(TileIndex id) {
    assert(has(id));
    return tiles_[places_[id.value]];
  }

  // Like read_back, for a tile that has a frame.
  [[nodiscard]] Rgb8 pixel_of(Tile& tile, unsigned x, unsigned y) const {
    const auto width = tile.facts.width;
    Rgb8 rgb = pixel_to_rgb8(*tile.format, tile.rows.data(), width, x, y, primaries_);
    if (tile.brightness < 1) darken(rgb.data(), rgb.size(), tile.brightness);
    if (tile.overlay.mark)
      for (const auto& bar : tile.marks)
        if (x - bar.x < bar.width && y - bar.y < bar.height) rgb = {bar.color.r, bar.color.g, bar.color.b};
    if (!tile.overlay.identify) return rgb;
    if (!tile.label) tile.label = paint_identify_label(tile.facts);
    const Rgba over = tile.label->at(x, y);
    const auto mix = [&](std::uint8_t below, std::uint8_t above) {
      return static_cast<std::uint8_t>((above * over.a + below * (255 - over.a) + 127) / 255);
    };
    return {mix(rgb[0], over.r), mix(rgb[1], over.g), mix(rgb[2], over.b)};
  }

  [[nodiscard]] Picture converted(const Tile& tile) const {
    const auto width = tile.facts.width;
    const auto height = tile.facts.height;
    const bool sixteen = info(*tile.format).depth > 8;
    Picture picture{width, height, sixteen,
                    std::vector<std::byte>(std::size_t{width} * height * 3 * (sixteen ? 2 : 1))};
    if (info(*tile.format).has_blocks()) {
      decode_blocks(*tile.format, tile.rows.data(), width, height,
                    reinterpret_cast<std::uint8_t*>(picture.pixels.data()), std::size_t{width} * 3);
      return picture;
    }
    const std::size_t row_size = row_bytes(*tile.format, width);
    for (unsigned row = 0; row < height; ++row) {
      const std::byte* from = tile.rows.data() + row * row_size;
      const std::size_t first = std::size_t{row} * width * 3;
      if (sixteen)
        row_to_rgb16(*tile.format, from, width, reinterpret_cast<std::uint16_t*>(picture.pixels.data()) + first,
                     primaries_);
      else
        row_to_rgb8(*tile.format, from, width, reinterpret_cast<std::uint8_t*>(picture.pixels.data()) + first,
                    primaries_);
    }
    return picture;
  }

  Primaries primaries_;
  bool lock_asked_;
  std::map<TileIndex, OutputStage> stages_;
  std::vector<Tile> tiles_;
  std::vector<std::size_t> places_;  // in tiles_, by a tile's number
};

}  // namespace

Result<std::unique_ptr<Display>> Display::open_headless(const Wall& wall, const WallNode& node) {
  auto stages = load_stages(wall, node);
  if (!stages) return stages.error();
  return std::unique_ptr<Display>(std::make_unique<HeadlessDisplay>(wall, node, std::move(*stages)));
}

}  // namespace lw
