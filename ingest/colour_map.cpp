#include "ingest/colour_map.h"

#include <libplacebo/colorspace.h>
#include <libplacebo/tone_mapping.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "ingest/transfer_curve.h"

namespace lw {
namespace {

constexpr unsigned code_max = 65'535;  // of the table
constexpr double hlg_gamma = 1.2;      // at 1000 cd/m2
constexpr float knee_of_bt2390 = 0.5F;

const pl_raw_primaries& raw(AVColorPrimaries primaries) {
  const auto known = [primaries] {
    switch (primaries) {
      case AVCOL_PRI_BT2020:
        return PL_COLOR_PRIM_BT_2020;
      case AVCOL_PRI_SMPTE432:
        return PL_COLOR_PRIM_DISPLAY_P3;
      case AVCOL_PRI_SMPTE431:
        return PL_COLOR_PRIM_DCI_P3;
      case AVCOL_PRI_SMPTE170M:
      case AVCOL_PRI_SMPTE240M:
        return PL_COLOR_PRIM_BT_601_525;
      case AVCOL_PRI_BT470BG:
        return PL_COLOR_PRIM_BT_601_625;
      case AVCOL_PRI_BT470M:
        return PL_COLOR_PRIM_BT_470M;
      case AVCOL_PRI_FILM:
        return PL_COLOR_PRIM_FILM_C;
      case AVCOL_PRI_EBU3213:
        return PL_COLOR_PRIM_EBU_3213;
      default:
        return PL_COLOR_PRIM_BT_709;
    }
  }();
  return *pl_raw_primaries_get(known);
}

const pl_raw_primaries& raw(Primaries primaries) {
  return *pl_raw_primaries_get(primaries == Primaries::bt2020 ? PL_COLOR_PRIM_BT_2020
                               : primaries == Primaries::p3   ? PL_COLOR_PRIM_DISPLAY_P3
                                                              : PL_COLOR_PRIM_BT_709);
}

std::array<float, 3> luminance_of(const pl_raw_primaries& primaries) {
  const auto xyz = pl_get_rgb2xyz_matrix(&primaries);
  return {xyz.m[1][0], xyz.m[1][1], xyz.m[1][2]};
}

float dot(const std::array<float, 3>& a, const std::array<float, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// In units of the reference white.
double peak_of(Transfer transfer, double of_pq) {
  return transfer == Transfer::sdr ? 1 : (transfer == Transfer::hlg ? hlg_peak : of_pq) / reference_white;
}

// By which light of this brightness is scaled.
FloatTable tone_factors(double from_peak, double to_peak) {
  pl_tone_map_params params{};
  params.function = &pl_tone_map_bt2390;
  params.param = knee_of_bt2390;
  params.input_scaling = params.output_scaling = PL_HDR_NORM;
  params.input_max = static_cast<float>(from_peak);
  params.output_max = static_cast<float>(to_peak);
  return FloatTable([&](double light) {
    return std::min(double{pl_tone_map_sample(static_cast<float>(std::min(light, from_peak)), &params)}, to_peak) /
           light;
  });
}

void scale(std::array<float, 3>& light, float factor) {
  for (auto& channel : light) channel *= factor;
}

}  // namespace

ColourMap::ColourMap(const SourceColour& from, const Colour& to, double peak)
    : decode_(code_max + 2), encode_([&](double light) { return code_of(to.transfer, light); }) {
  for (unsigned code = 0; code <= code_max; ++code)
    decode_[code] = static_cast<float>(light_of(from.transfer, static_cast<double>(code) / code_max));
  decode_.back() = decode_[code_max];  // beyond the brightest one, which the interpolation reads
  const auto& source = raw(from.primaries);
  const auto& wall = raw(to.primaries);
  const auto between = pl_get_color_mapping_matrix(&source, &wall, PL_INTENT_RELATIVE_COLORIMETRIC);
  for (std::size_t row = 0; row < 3; ++row) std::copy_n(between.m[row], 3, matrix_[row].begin());
  source_luminance_ = luminance_of(source);
  wall_luminance_ = luminance_of(wall);
  constexpr double top = hlg_peak / reference_white;
  if (from.transfer == Transfer::hlg)
    from_scene_.emplace([](double scene) { return std::pow(scene, hlg_gamma - 1) * top; });
  if (to.transfer == Transfer::hlg)
    to_scene_.emplace([](double light) { return std::pow(light / top, 1 / hlg_gamma - 1) / top; });
  const auto bright = peak_of(from.transfer, peak);
  const auto can_show = peak_of(to.transfer, pq_peak);
  if (bright > can_show) tone_.emplace(tone_factors(bright, can_show));
}

// The first value also stands for NaN.
float ColourMap::decoded(float code) const {
  const float place = (code > 0 ? std::min(code, 1.0F) : 0) * code_max;
  const auto below = static_cast<std::size_t>(place);
  return decode_[below] + (decode_[below + 1] - decode_[below]) * (place - static_cast<float>(below));
}

ColourMap::Channels ColourMap::to_wall(const Channels& light) const {
  return {std::max(dot(matrix_[0], light), 0.0F), std::max(dot(matrix_[1], light), 0.0F),
          std::max(dot(matrix_[2], light), 0.0F)};
}

void ColourMap::apply(std::span<float> red, std::span<float> green, std::span<float> blue) const {
  assert(green.size() == red.size() && blue.size() == red.size());
  for (std::size_t i = 0; i < red.size(); ++i) {
    Channels light{decoded(red[i]), decoded(green[i]), decoded(blue[i])};
    if (from_scene_) scale(light, (*from_scene_)(dot(source_luminance_, light)));
    light = to_wall(light);
    if (tone_) scale(light, (*tone_)(std::max({light[0], light[1], light[2]})));
    if (to_scene_) scale(light, (*to_scene_)(dot(wall_luminance_, light)));
    red[i] = encode_(light[0]);
    green[i] = encode_(light[1]);
    blue[i] = encode_(light[2]);
  }
}

void ColourMap::apply(std::span<std::uint8_t> rgb) const {
  for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) {
    Channels pixel{};
    for (std::size_t c = 0; c < 3; ++c) pixel[c] = static_cast<float>(rgb[i + c]) / 255;
    apply({&pixel[0], 1}, {&pixel[1], 1}, {&pixel[2], 1});
    for (std::size_t c = 0; c < 3; ++c) rgb[i + c] = static_cast<std::uint8_t>(pixel[c] * 255 + 0.5F);
  }
}

}  // namespace lw
