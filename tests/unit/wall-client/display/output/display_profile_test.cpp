#include "wall-client/display/output/display_profile.h"

#include "tests/unit/wall-client/display/output_files.h"

#include <lcms2.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <random>

using namespace lw;
using namespace lw::test;

namespace {

struct Close {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, Close>;

// A display with these primaries, this white and this gamma.
Profile display(const cmsCIExyYTRIPLE& primaries, double gamma, const cmsCIExyY& white = {0.3127, 0.3290, 1}) {
  cmsToneCurve* curve = cmsBuildGamma(nullptr, gamma);
  const std::array<cmsToneCurve*, 3> curves{curve, curve, curve};
  Profile profile(cmsCreateRGBProfile(&white, &primaries, curves.data()));
  cmsFreeToneCurve(curve);
  return profile;
}

// A display that is described by tables from and to Lab, of 33^3 and 49^3 entries.
Profile with_tables(const Profile& matrix) {
  const Profile lab(cmsCreateLab2Profile(nullptr));
  Profile made(cmsCreateProfilePlaceholder(nullptr));
  cmsSetProfileVersion(made.get(), 2.4);
  cmsSetDeviceClass(made.get(), cmsSigDisplayClass);
  cmsSetColorSpace(made.get(), cmsSigRgbData);
  cmsSetPCS(made.get(), cmsSigLabData);
  const auto add = [&](cmsTagSignature tag, const Profile& from, cmsUInt32Number in, const Profile& to,
                       cmsUInt32Number out, unsigned side) {
    auto* transform =
        cmsCreateTransform(from.get(), in, to.get(), out, INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE);
    auto* pipeline = cmsPipelineAlloc(nullptr, 3, 3);
    auto* stage = cmsStageAllocCLut16bit(nullptr, side, 3, 3, nullptr);
    cmsStageSampleCLut16bit(
        stage,
        [](const cmsUInt16Number* from_entry, cmsUInt16Number* to_entry, void* by) {
          cmsDoTransform(by, from_entry, to_entry, 1);
          return 1;
        },
        transform, 0);
    cmsPipelineInsertStage(pipeline, cmsAT_END, stage);
    cmsWriteTag(made.get(), tag, pipeline);
    cmsPipelineFree(pipeline);
    cmsDeleteTransform(transform);
  };
  add(cmsSigAToB1Tag, matrix, TYPE_RGB_16, lab, TYPE_LabV2_16, 33);
  add(cmsSigBToA1Tag, lab, TYPE_LabV2_16, matrix, TYPE_RGB_16, 49);
  cmsWriteTag(made.get(), cmsSigMediaWhitePointTag, cmsD50_XYZ());
  return made;
}

constexpr cmsCIExyYTRIPLE adobe{{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
constexpr cmsCIExyYTRIPLE p3{{0.68, 0.32, 1}, {0.265, 0.69, 1}, {0.15, 0.06, 1}};
constexpr cmsCIExyYTRIPLE old_projector{{0.62, 0.345, 1}, {0.31, 0.58, 1}, {0.155, 0.08, 1}};

std::string bytes_of(const Profile& profile) {
  cmsUInt32Number size = 0;
  REQUIRE(cmsSaveProfileToMem(profile.get(), nullptr, &size) != 0);
  std::string bytes(size, '\0');
  REQUIRE(cmsSaveProfileToMem(profile.get(), bytes.data(), &size) != 0);
  return bytes;
}

// A quarter of them are greys.
std::vector<Rgb> random_colours(unsigned count) {
  std::mt19937 random(7);
  std::vector<Rgb> colours(count);
  for (unsigned i = 0; i < count; ++i) {
    for (auto& value : colours[i]) value = static_cast<float>(random() % 256) / 255;
    if (i % 4 == 0) colours[i][1] = colours[i][2] = colours[i][0];
  }
  return colours;
}

// Those of the chart that is used to judge displays (ColorChecker, in sRGB, by its maker's table of 2014), the corners
// of the cube, and a wedge of greys.
std::vector<Rgb> known_patches() {
  constexpr std::array<unsigned, 24> chart{0x735244, 0xc29682, 0x627a9d, 0x576c43, 0x8580b1, 0x67bdaa,
                                           0xd67e2c, 0x505ba6, 0xc15a63, 0x5e3c6c, 0x9dbc40, 0xe0a32e,
                                           0x383d96, 0x469449, 0xaf363c, 0xe7c71f, 0xbb5695, 0x0885a1,
                                           0xf3f3f2, 0xc8c8c8, 0xa0a0a0, 0x7a7a79, 0x555555, 0x343434};
  std::vector<Rgb> patches;
  const auto add = [&](unsigned rgb) {
    patches.push_back({static_cast<float>(rgb >> 16U) / 255, static_cast<float>(rgb >> 8U & 0xffU) / 255,
                       static_cast<float>(rgb & 0xffU) / 255});
  };
  for (const auto patch : chart) add(patch);
  for (unsigned corner = 0; corner < 8; ++corner)
    add((corner & 4U ? 0xff0000U : 0) | (corner & 2U ? 0xff00U : 0) | (corner & 1U ? 0xffU : 0));
  for (unsigned grey = 0; grey < 256; ++grey) add(grey * 0x10101U);
  return patches;
}

// Largest difference from lcms2 itself, in 8-bit code values; of lcms2's own sRGB.
struct Difference {
  double largest = 0, mean = 0;
};
Difference difference(const ColourTable& table, const Profile& to, const std::vector<Rgb>& colours) {
  const Profile srgb(cmsCreate_sRGBProfile());
  auto* transform = cmsCreateTransform(srgb.get(), TYPE_RGB_FLT, to.get(), TYPE_RGB_FLT, INTENT_RELATIVE_COLORIMETRIC,
                                       cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOCACHE);
  Difference found;
  for (const auto& in : colours) {
    Rgb direct{};
    cmsDoTransform(transform, in.data(), direct.data(), 1);
    const auto ours = table(in);
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const double here = 255 * std::abs(ours[channel] - std::clamp(direct[channel], 0.0F, 1.0F));
      found.largest = std::max(found.largest, here);
      found.mean += here / (3 * static_cast<double>(colours.size()));
    }
  }
  cmsDeleteTransform(transform);
  return found;
}

}  // namespace

TEST_CASE("colours of a profile are those of lcms2 within a code value") {
  const auto check = [](const Profile& to, const char* name) {
    const auto table = table_of_profile(bytes_of(to), Primaries::bt709);
    if (!table) FAIL(table.error().text());
    CHECK_FALSE(table->is_identity());
    const auto found = difference(*table, to, random_colours(20'000));
    INFO(name << ": " << found.largest << ", in the mean " << found.mean);
    CHECK(found.largest <= 0.5);
    CHECK(found.mean < 0.01);
  };
  check(display(adobe, 2.2), "wider green");
  check(display(p3, 2.4), "P3");
  check(display(p3, 2.2, {0.3221, 0.3318, 1}), "P3, warm white");
  check(display(p3, 1.0), "P3, linear");
  check(display(old_projector, 1.8), "narrow, so that colours are clipped");
}

// Measured displays may be described by a table instead of a matrix. Across its bends, where the display's colours end,
// a cube of 129^3 is at most 1.2 code values off, and a hundredth in the mean.
TEST_CASE("colours of a profile without a matrix are those of lcms2") {
  for (const auto* primaries : {&adobe, &p3}) {
    const auto matrix = display(*primaries, 2.2);
    const auto table = with_tables(matrix);
    const auto ours = table_of_profile(bytes_of(table), Primaries::bt709);
    if (!ours) FAIL(ours.error().text());
    CHECK(ours->last_curves.empty());
    const auto patches = difference(*ours, table, known_patches());
    INFO("patches: " << patches.largest << ", in the mean " << patches.mean);
    CHECK(patches.largest <= 1);
    const auto found = difference(*ours, table, random_colours(20'000));
    INFO(found.largest << ", in the mean " << found.mean);
    CHECK(found.largest <= 1.25);
    CHECK(found.mean < 0.02);
  }
}

TEST_CASE("a profile of the wall's own colours changes nothing") {
  const Profile srgb(cmsCreate_sRGBProfile());
  CHECK(table_of_profile(bytes_of(srgb), Primaries::bt709).value().is_identity());
  CHECK_FALSE(table_of_profile(bytes_of(srgb), Primaries::p3).value().is_identity());
  CHECK_FALSE(table_of_profile(bytes_of(srgb), Primaries::bt2020).value().is_identity());
}

TEST_CASE("white stays white, black stays black, and greys keep their order") {
  for (const auto primaries : all_primaries) {
    const auto table = table_of_profile(bytes_of(display(adobe, 2.2)), primaries).value();
    for (const float end : {0.0F, 1.0F})
      for (const float value : table({end, end, end})) CHECK(value == Approx(end).margin(0.002));
    float before = -1;
    for (int i = 0; i <= 1023; ++i) {
      const auto grey = static_cast<float>(i) / 1023;
      const auto out = table({grey, grey, grey});
      CHECK(out[0] == Approx(out[2]).margin(0.003));
      CHECK(out[1] > before);
      before = out[1];
    }
  }
}

TEST_CASE("what is not a display's profile is refused") {
  const auto what = [](const std::string& bytes) { return table_of_profile(bytes, Primaries::bt709).error().text(); };
  CHECK_THAT(what(""), Catch::Contains("is not an ICC profile") && Catch::Contains("the display's own profile"));
  const auto good = bytes_of(display(adobe, 2.2));
  CHECK_THAT(what(good.substr(0, 100)), Catch::Contains("is not an ICC profile"));
  const Profile lab(cmsCreateLab4Profile(nullptr));
  CHECK_THAT(what(bytes_of(lab)), Catch::Contains("not the profile of an RGB display"));
  auto hollow = good;  // its tags are gone
  hollow.replace(128, 4, std::string("\0\0\0\0", 4));
  CHECK_THAT(what(hollow), Catch::Contains("does not describe"));
}
