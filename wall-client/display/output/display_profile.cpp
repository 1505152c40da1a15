#include "wall-client/display/output/display_profile.h"

#include <lcms2.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

namespace lw {
namespace {

struct Close {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, Close>;
struct Delete {
  void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using Transform = std::unique_ptr<void, Delete>;

// Its own context: errors, which lcms2 would print, make its functions return null.
struct DeleteContext {
  void operator()(cmsContext context) const { cmsDeleteContext(context); }
};
using Context = std::unique_ptr<std::remove_pointer_t<cmsContext>, DeleteContext>;

cmsCIExyYTRIPLE primaries_of(Primaries primaries) {
  switch (primaries) {
    case Primaries::bt2020:
      return {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};
    case Primaries::p3:
      return {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
    case Primaries::bt709:
      break;
  }
  return {{0.640, 0.330, 1}, {0.300, 0.600, 1}, {0.150, 0.060, 1}};
}

Profile profile_of_wall(cmsContext context, Primaries primaries) {
  constexpr cmsCIExyY d65{0.3127, 0.3290, 1};
  constexpr cmsInt32Number with_linear_part = 4;  // of lcms2's parametric curves: IEC 61966-2-1
  constexpr std::array<cmsFloat64Number, 5> srgb{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  const auto triple = primaries_of(primaries);
  cmsToneCurve* curve = cmsBuildParametricToneCurve(context, with_linear_part, srgb.data());
  const std::array<cmsToneCurve*, 3> curves{curve, curve, curve};
  Profile profile(cmsCreateRGBProfileTHR(context, &d65, &triple, curves.data()));
  cmsFreeToneCurve(curve);
  return profile;
}

float within_one(float value) { return value >= 0 ? std::min(value, 1.0F) : 0; }  // NaN: 0

class Matrix {
public:
  using Column = std::array<double, 3>;
  void set_column(std::size_t i, const Column& column) { columns_[i] = column; }
  [[nodiscard]] Rgb times(const Column& by) const {
    Rgb product{};
    for (std::size_t i = 0; i < 3; ++i)
      product[i] = static_cast<float>(columns_[0][i] * by[0] + columns_[1][i] * by[1] + columns_[2][i] * by[2]);
    return product;
  }
  // This matrix's inverse times another; by Cramer's rule. Empty if it has no inverse.
  [[nodiscard]] std::optional<Matrix> inverse_times(const Matrix& other) const {
    const double whole = determinant(columns_);
    constexpr double smallest = 1e-6;
    if (!(std::abs(whole) > smallest)) return std::nullopt;
    Matrix product;
    for (std::size_t column = 0; column < 3; ++column)
      for (std::size_t row = 0; row < 3; ++row) {
        auto replaced = columns_;
        replaced[row] = other.columns_[column];
        product.columns_[column][row] = determinant(replaced) / whole;
      }
    return product;
  }

private:
  using Columns = std::array<Column, 3>;
  static double determinant(const Columns& c) {
    return c[0][0] * (c[1][1] * c[2][2] - c[2][1] * c[1][2]) - c[1][0] * (c[0][1] * c[2][2] - c[2][1] * c[0][2]) +
           c[2][0] * (c[0][1] * c[1][2] - c[1][1] * c[0][2]);
  }
  Columns columns_{};
};

std::vector<Rgb> through(void* transform, const std::vector<Rgb>& colours) {
  std::vector<Rgb> out(colours.size());
  cmsDoTransform(transform, colours.data(), out.data(), static_cast<cmsUInt32Number>(colours.size()));
  for (auto& colour : out)
    for (auto& value : colour) value = within_one(value);
  return out;
}

// What greys become, stretched to 0 to 1 and rising: the cube then has to bend little, even where a display's curve is
// steep near black.
std::vector<Rgb> curves_of(void* transform) {
  constexpr unsigned entries = 4096;
  std::vector<Rgb> greys(entries);
  for (unsigned i = 0; i < entries; ++i) greys[i].fill(static_cast<float>(i) / (entries - 1));
  auto curves = through(transform, greys);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const float first = curves.front()[channel];
    const float range = curves.back()[channel] - first;
    constexpr float least_range = 0.1F;
    constexpr float least_slope = 1e-3F;  // so that each value has one place
    float highest = 0;
    for (unsigned i = 0; i < entries; ++i) {
      const float even = greys[i][channel];
      const float value = range < least_range ? even : (curves[i][channel] - first) / range;
      highest = std::clamp(value, highest, 1.0F);
      curves[i][channel] = highest + (even - highest) * least_slope;
    }
  }
  return curves;
}

// The input at which a curve has this value.
float input_at(const std::vector<Rgb>& curves, std::size_t channel, float value) {
  const auto above =
      std::ranges::lower_bound(curves, value, {}, [channel](const Rgb& entry) { return entry[channel]; });
  const auto last = static_cast<float>(curves.size() - 1);
  if (above == curves.begin()) return 0;
  if (above == curves.end()) return 1;
  const float low = (*(above - 1))[channel];
  const float high = (*above)[channel];
  const float part = high > low ? (value - low) / (high - low) : 1;
  return (static_cast<float>(above - curves.begin()) - 1 + part) / last;
}

ColourTable cube_of(void* transform, unsigned side) {
  ColourTable table;
  table.side = side;
  table.curves = curves_of(transform);
  std::vector<Rgb> inputs(table.side);
  for (unsigned i = 0; i < table.side; ++i)
    for (std::size_t channel = 0; channel < 3; ++channel)
      inputs[i][channel] = input_at(table.curves, channel, static_cast<float>(i) / static_cast<float>(table.side - 1));
  std::vector<Rgb> colours;
  colours.reserve(std::size_t{table.side} * table.side * table.side);
  for (unsigned blue = 0; blue < table.side; ++blue)
    for (unsigned green = 0; green < table.side; ++green)
      for (unsigned red = 0; red < table.side; ++red)
        colours.push_back({inputs[red][0], inputs[green][1], inputs[blue][2]});
  table.cube = through(transform, colours);
  return table;
}

// Of a display that is a matrix between curves, as most are: then this is exact, also where colours are clipped. Empty
// for others.
std::optional<ColourTable> matrix_of(cmsHPROFILE source, cmsHPROFILE display) {
  constexpr unsigned entries = 4096;
  constexpr std::array colorants{cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
  constexpr std::array curves{cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
  if (cmsIsMatrixShaper(display) == 0) return std::nullopt;
  ColourTable table;
  table.side = 2;
  table.curves.resize(entries);
  table.last_curves.resize(entries);
  Matrix from{}, to{};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto* in = static_cast<const cmsCIEXYZ*>(cmsReadTag(source, colorants[i]));
    const auto* out = static_cast<const cmsCIEXYZ*>(cmsReadTag(display, colorants[i]));
    const auto* curve = static_cast<const cmsToneCurve*>(cmsReadTag(source, curves[i]));
    const auto* curve_of_display = static_cast<const cmsToneCurve*>(cmsReadTag(display, curves[i]));
    if (in == nullptr || out == nullptr || curve == nullptr || curve_of_display == nullptr) return std::nullopt;
    from.set_column(i, {in->X, in->Y, in->Z});
    to.set_column(i, {out->X, out->Y, out->Z});
    cmsToneCurve* inverse = cmsReverseToneCurve(curve_of_display);
    if (inverse == nullptr) return std::nullopt;
    for (unsigned n = 0; n < entries; ++n) {
      const float part = static_cast<float>(n) / (entries - 1);
      table.curves[n][i] = cmsEvalToneCurveFloat(curve, part);
      table.last_curves[n][i] = within_one(cmsEvalToneCurveFloat(inverse, part * part));
    }
    cmsFreeToneCurve(inverse);
  }
  const auto whole = to.inverse_times(from);
  if (!whole) return std::nullopt;
  for (std::size_t corner = 0; corner < 8; ++corner)
    table.cube.push_back(
        whole->times({(corner & 1U) != 0 ? 1.0 : 0, (corner & 2U) != 0 ? 1.0 : 0, (corner & 4U) != 0 ? 1.0 : 0}));
  return table;
}

// From lcms2 itself, over colours that are not entries of either table.
float largest_difference(const ColourTable& table, void* transform) {
  constexpr unsigned steps = 13;
  std::vector<Rgb> colours;
  for (unsigned i = 0; i < steps * steps * steps; ++i)
    colours.push_back({static_cast<float>(i % steps) / (steps - 1), static_cast<float>(i / steps % steps) / (steps - 1),
                       static_cast<float>(i / steps / steps) / (steps - 1)});
  const auto direct = through(transform, colours);
  float largest = 0;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const auto ours = table(colours[i]);
    for (std::size_t channel = 0; channel < 3; ++channel)
      largest = std::max(largest, std::abs(ours[channel] - direct[i][channel]));
  }
  return largest;
}

}  // namespace

Result<ColourTable> table_of_profile(std::string_view bytes, Primaries wall, unsigned side) {
  const Context context(cmsCreateContext(nullptr, nullptr));
  if (!context) return Error{"lcms2 has no memory", "close other programs"};
  const auto unusable = [](const char* what) {
    return Error{what, "use the display's own profile (class mntr, RGB), as its calibration wrote it"};
  };
  const Profile display(
      cmsOpenProfileFromMemTHR(context.get(), bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
  if (!display) return unusable("is not an ICC profile");
  if (cmsGetColorSpace(display.get()) != cmsSigRgbData) return unusable("is not the profile of an RGB display");
  const auto source = profile_of_wall(context.get(), wall);
  const auto bits = static_cast<cmsUInt32Number>(TYPE_RGB_FLT);
  const Transform transform(source ? cmsCreateTransformTHR(context.get(), source.get(), bits, display.get(), bits,
                                                           INTENT_RELATIVE_COLORIMETRIC,
                                                           cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE)
                                   : nullptr);
  if (!transform) return unusable("is an ICC profile that does not describe how to show colours");
  // lcms2 may use other parts of the profile than its matrix.
  constexpr float half_a_code = 0.5F / 255;
  const auto matrix = matrix_of(source.get(), display.get());
  if (matrix && largest_difference(*matrix, transform.get()) < half_a_code) return *matrix;
  return cube_of(transform.get(), side);
}

}  // namespace lw
