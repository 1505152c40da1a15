#include "wall-client/display/output/display_profile.h"

#include <lcms2.h>

#include <algorithm>
#include <cstdint>
#include <memory>

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

// Its own context: errors, which lcms2 would print, are told by what returns null.
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

std::vector<Rgb> through(void* transform, const std::vector<Rgb>& colours) {
  std::vector<Rgb> out(colours.size());
  cmsDoTransform(transform, colours.data(), out.data(), static_cast<cmsUInt32Number>(colours.size()));
  for (auto& colour : out)
    for (auto& value : colour) value = value >= 0 ? std::min(value, 1.0F) : 0;  // NaN too
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

ColourTable table_of(void* transform) {
  ColourTable table;
  table.side = 65;
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

}  // namespace

Result<ColourTable> table_of_profile(std::string_view bytes, Primaries wall) {
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
  return table_of(transform.get());
}

}  // namespace lw
