#include "wall-client/display/output/grey_map.h"

#include "wall-client/display/output/colour_table.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <cstring>
#include <string>

namespace lw {
namespace {

enum class ColouredMap : bool { refused, reduced };

// What libpng's handlers share: they are C, and leave by longjmp.
struct Reading {
  std::string_view rest;
  std::array<char, 96> problem{};

  void note(const char* text) { fmt::format_to_n(problem.data(), problem.size() - 1, "{}", text); }
};

void take_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto& reading = *static_cast<Reading*>(png_get_io_ptr(png));
  if (reading.rest.size() < count) png_error(png, "the file ends early");
  std::memcpy(to, reading.rest.data(), count);
  reading.rest.remove_prefix(count);
}

[[noreturn]] void stop(png_structp png, png_const_charp text) {
  static_cast<Reading*>(png_get_error_ptr(png))->note(text);
  png_longjmp(png, 1);
}

void ignore(png_structp /*png*/, png_const_charp /*text*/) {}

// Owns libpng's structures, whose functions may leave by longjmp: only into read(), which has no other objects.
class PngReader {
public:
  PngReader(std::string_view bytes, ColouredMap coloured)
      : coloured_(coloured),
        reading_{bytes, {}},
        png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading_, stop, ignore)) {
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  bool read_header() {
    if (info_ == nullptr || setjmp(png_jmpbuf(png_)) != 0) return false;
    constexpr png_alloc_size_t chunk_bytes_max = 1U << 20U;
    png_set_user_limits(png_, GreyMap::side_max, GreyMap::side_max);
    png_set_chunk_malloc_max(png_, chunk_bytes_max);
    png_set_read_fn(png_, &reading_, take_bytes);
    png_read_info(png_, info_);
    set_grey();
    return true;
  }
  // After read_header().
  bool read_rows(GreyMap& map, std::vector<png_bytep>& rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    if (png_get_rowbytes(png_, info_) != std::size_t{map.width} * 2) png_error(png_, "it is not an image of grey");
    png_read_image(png_, rows.data());
    map.coloured = png_get_rgb_to_gray_status(png_) != 0;
    png_read_end(png_, nullptr);
    return true;
  }
  [[nodiscard]] unsigned width() const { return png_get_image_width(png_, info_); }
  [[nodiscard]] unsigned height() const { return png_get_image_height(png_, info_); }
  [[nodiscard]] const char* problem() const { return reading_.problem.data(); }

private:
  // To one channel of 16 bits in host order, by value: a map is not an image with a gamma.
  void set_grey() {
    const auto colour = png_get_color_type(png_, info_);
    if (colour == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if ((colour & PNG_COLOR_MASK_COLOR) != 0)
      png_set_rgb_to_gray_fixed(png_,
                                coloured_ == ColouredMap::reduced ? PNG_ERROR_ACTION_NONE : PNG_ERROR_ACTION_ERROR,
                                PNG_RGB_TO_GRAY_DEFAULT, PNG_RGB_TO_GRAY_DEFAULT);
    if (png_get_bit_depth(png_, info_) < 8) png_set_expand_gray_1_2_4_to_8(png_);
    png_set_strip_alpha(png_);
    png_set_expand_16(png_);
    if (std::endian::native == std::endian::little) png_set_swap(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
  }

  ColouredMap coloured_;
  Reading reading_;
  png_structp png_;
  png_infop info_ = nullptr;
};

Result<GreyMap> parse_map(std::string_view bytes, ColouredMap coloured) {
  PngReader reader(bytes, coloured);
  const auto unreadable = [&] {
    return Error{fmt::format("is not a PNG image that can be used: {}", reader.problem()),
                 "save it as PNG, grey with 8 or 16 bits"};
  };
  if (!reader.read_header()) return unreadable();
  GreyMap map{reader.width(), reader.height(), {}, false};
  const std::size_t pixels = std::size_t{map.width} * map.height;
  if (pixels > GreyMap::pixels_max)
    return Error{fmt::format("has {} x {} pixels", map.width, map.height),
                 fmt::format("use at most {} million: it is interpolated over the panel", GreyMap::pixels_max >> 20U)};
  map.values.resize(pixels);
  std::vector<png_bytep> rows(map.height);
  for (unsigned row = 0; row < map.height; ++row)
    rows[row] = reinterpret_cast<png_bytep>(map.values.data() + std::size_t{row} * map.width);
  if (!reader.read_rows(map, rows)) return unreadable();
  return map;
}

}  // namespace

Result<GreyMap> parse_grey_map(std::string_view bytes) { return parse_map(bytes, ColouredMap::refused); }

Result<GreyMap> parse_coloured_map(std::string_view bytes) { return parse_map(bytes, ColouredMap::reduced); }

float GreyMap::over(int x, int y, int panel_width, int panel_height) const {
  struct Neighbours {
    unsigned first, next;
    float part;
  };
  const auto neighbours = [](int pixel, int of_panel, unsigned count) {
    const float place =
        std::clamp((static_cast<float>(pixel) + 0.5F) * static_cast<float>(count) / static_cast<float>(of_panel) - 0.5F,
                   0.0F, static_cast<float>(count - 1));
    const auto first = static_cast<unsigned>(place);
    return Neighbours{first, std::min(first + 1, count - 1), part_of_next(place - static_cast<float>(first))};
  };
  const auto across = neighbours(x, panel_width, width);
  const auto down = neighbours(y, panel_height, height);
  const auto row = [&](unsigned of) {
    return at(across.first, of) + (at(across.next, of) - at(across.first, of)) * across.part;
  };
  return row(down.first) + (row(down.next) - row(down.first)) * down.part;
}

}  // namespace lw
