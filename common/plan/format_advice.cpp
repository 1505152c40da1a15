#include "common/plan/format_advice.h"

#include "common/base/frame_rate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace lw {
namespace {

struct Candidate {
  Wall wall;
  Manifest manifest;
};

Candidate with_format(const Wall& wall, const Manifest& manifest, PixelFormat format) {
  Candidate candidate{wall, manifest};
  candidate.wall.streaming.pixel_format = candidate.manifest.pixel_format = format;
  return candidate;
}

Candidate with_rate(const Candidate& of, int hertz) {
  auto candidate = of;
  candidate.manifest.frame_rate = {hertz, 1};
  if (of.manifest.name.empty()) candidate.wall.frame_rate = {hertz, 1};
  return candidate;
}

// The loss of quality. The figures are those of docs/formats.md.
std::string_view price(PixelFormat format) {
  switch (format) {
    case PixelFormat::rgb10:
      return "keeps everything with 10 bits";
    case PixelFormat::rgb8:
      return "keeps everything with 8 bits";
    case PixelFormat::ycbcr422_10:
      return "has colours at half the horizontal resolution";
    case PixelFormat::ycbcr422_8:
      return "has colours at half the horizontal resolution (PSNR of the samples 46 to 51 dB)";
    case PixelFormat::bc7:
      return "has 16 colours on a line in each block of 4 x 4 pixels (PSNR of the samples 50 to 53 dB)";
    case PixelFormat::lossless:
      return "keeps everything with 8 bits";
    case PixelFormat::bc1:
      return "has 4 colours on a line in each block of 4 x 4 pixels (PSNR of the samples 43 to 44 dB)";
  }
  return {};
}

// Nothing is promised for it: its bound is no less than that of rgb8.
constexpr std::string_view lossless_may_do =
    "; lossless keeps everything and needs from a third of the bits up to all of them, by content (samples: 2.9 to "
    "3.4 times less)";

// Of a format that varies in length, those that no content exceeds: its advice must hold for all.
double bits_per_pixel(PixelFormat format) {
  if (info(format).varies_in_length()) format = PixelFormat::rgb8;
  const auto& of = info(format);
  return 8.0 * of.group_bytes / (of.group_pixels * of.group_rows);
}

// Those with fewer bits than this one, in descending order.
std::vector<PixelFormat> smaller_than(PixelFormat format) {
  std::vector<PixelFormat> smaller;
  std::ranges::copy_if(all_pixel_formats, std::back_inserter(smaller),
                       [&](PixelFormat other) { return bits_per_pixel(other) < bits_per_pixel(format); });
  std::ranges::sort(smaller, std::ranges::greater{}, bits_per_pixel);
  return smaller;
}

std::string change(const Candidate& to, const Candidate& from) {
  const bool has_content = !from.manifest.name.empty();
  const auto format = to.manifest.pixel_format;
  std::string text;
  if (format != from.manifest.pixel_format)
    text = has_content ? fmt::format("wall-ingest --format {}", info(format).name)
                       : fmt::format("pixel_format = \"{}\" in [streaming]", info(format).name);
  if (to.manifest.frame_rate == from.manifest.frame_rate) return text;
  const auto rate = to_text(to.manifest.frame_rate);
  if (!has_content) return fmt::format("{}frame_rate = {} in [wall]", text.empty() ? "" : text + ", and ", rate);
  return fmt::format("{} --rate {}", text.empty() ? "wall-ingest" : text, rate);
}

std::string why(const Candidate& to, const Candidate& from) {
  const auto format = to.manifest.pixel_format;
  auto text = format == from.manifest.pixel_format
                  ? std::string()
                  : fmt::format("{} bits for each pixel instead of {}; it {}", bits_per_pixel(format),
                                bits_per_pixel(from.manifest.pixel_format), price(format));
  if (format != from.manifest.pixel_format && from.manifest.pixel_format == PixelFormat::rgb8) text += lossless_may_do;
  if (to.manifest.frame_rate == from.manifest.frame_rate) return text;
  const auto rate = fmt::format("no format makes {} frame/s possible", to_text(from.manifest.frame_rate));
  return text.empty() ? rate : rate + "; " + text;
}

// More frames are never easier. 0: none.
int highest_rate(const Candidate& of, const VerdictOf& verdict_of) {
  int possible = 0;
  int impossible = static_cast<int>(std::ceil(of.manifest.frame_rate.hertz()));
  while (impossible - possible > 1) {
    const auto middle = (possible + impossible) / 2;
    const auto tried = with_rate(of, middle);
    (verdict_of(tried.wall, tried.manifest) == Verdict::impossible ? impossible : possible) = middle;
  }
  return possible;
}

}  // namespace

std::optional<Recommendation> format_advice(const Wall& wall, const Manifest& manifest, const VerdictOf& verdict_of) {
  const Candidate now{wall, manifest};
  std::vector<Candidate> candidates;
  for (const auto format : smaller_than(manifest.pixel_format))
    candidates.push_back(with_format(wall, manifest, format));
  std::optional<Candidate> best;
  auto least = Verdict::impossible;
  for (const auto& candidate : candidates)
    if (const auto verdict = verdict_of(candidate.wall, candidate.manifest); verdict < least) {
      least = verdict;
      best = candidate;
    }
  if (!best) {
    const auto& smallest = candidates.empty() ? now : candidates.back();
    if (const auto rate = highest_rate(smallest, verdict_of); rate > 0) best = with_rate(smallest, rate);
  }
  if (!best) return std::nullopt;
  return Recommendation{change(*best, now), why(*best, now)};
}

}  // namespace lw
