// The colours that a wall shows, as its wall file and its stores name them: the primaries that red, green and blue
// stand for, and the transfer function between code values and light. Ingest converts to them; nothing on the data path
// changes a colour.
#pragma once

#include "common/base/result.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace lw {

// White is D65 for all.
enum class Primaries : std::uint8_t {
  bt709,   // ITU-R BT.709, those of sRGB
  bt2020,  // ITU-R BT.2020 and BT.2100
  p3,      // SMPTE EG 432-1, "P3-D65"
};

enum class Transfer : std::uint8_t {
  sdr,  // shown by the display with its own curve, BT.1886
  pq,   // ITU-R BT.2100, SMPTE ST 2084
  hlg,  // ITU-R BT.2100, ARIB STD-B67
};

inline constexpr std::array all_primaries{Primaries::bt709, Primaries::bt2020, Primaries::p3};
inline constexpr std::array all_transfers{Transfer::sdr, Transfer::pq, Transfer::hlg};

// Unless said otherwise, those of all walls and stores before version 2 of the store's manifest.
struct Colour {
  Primaries primaries = Primaries::bt709;
  Transfer transfer = Transfer::sdr;
  bool operator==(const Colour&) const = default;
};

// As wall files and manifests write them. The errors list the names.
std::string_view name_of(Primaries primaries);
std::string_view name_of(Transfer transfer);
std::string to_text(const Colour& colour);  // "bt2020 pq"
Result<Primaries> parse_primaries(std::string_view name);
Result<Transfer> parse_transfer(std::string_view name);

// From luma and chroma to R'G'B': R' = Y' + red_cr Cr, G' = Y' - green_cb Cb - green_cr Cr, B' = Y' + blue_cb Cb, with
// chroma from -0.5 to 0.5. Of BT.2020 (non-constant luminance) for its primaries, and of BT.709 for all others.
struct YcbcrMatrix {
  float red_cr;
  float green_cb;
  float green_cr;
  float blue_cb;
};
const YcbcrMatrix& ycbcr_matrix(Primaries primaries);

}  // namespace lw
