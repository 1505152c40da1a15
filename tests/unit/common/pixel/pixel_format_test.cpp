// Laws: whatever a tile's size and its number of bands, the bands carry each row of pixel groups once; names and
// payload types identify formats.
#include "common/pixel/pixel_format.h"

#include "common/wall/geometry.h"
#include "common/wire/media_packet.h"
#include "common/wire/parity_packet.h"
#include "tests/support/network.h"

#include <catch2/catch.hpp>

#include <set>

using namespace lw;

TEST_CASE("names and payload types of pixel formats are their own") {
  std::set<unsigned> types{wire::parity_payload_type};
  for (const auto format : all_pixel_formats) {
    const auto& entry = info(format);
    CHECK(entry.format == format);
    CHECK(parse_pixel_format(entry.name).value() == format);
    CHECK(pixel_format_of_payload_type(entry.payload_type) == format);
    CHECK((entry.payload_type >= 96 && entry.payload_type + wire::resend_payload_types < 128));
    for (const unsigned type : {0U + entry.payload_type, 0U + entry.payload_type + wire::resend_payload_types})
      CHECK(types.insert(type).second);
  }
  const auto unknown = parse_pixel_format("bc6");
  REQUIRE(unknown.has_error());
  CHECK(unknown.error().text().find("rgb8, ycbcr422-8, ycbcr422-10, bc7, bc1, rgb10, lossless") != std::string::npos);
}

TEST_CASE("blocks cover a tile whose size is not a multiple of theirs") {
  CHECK(frame_bytes(PixelFormat::bc7, 1920, 1080) == std::size_t{480} * 270 * 16);
  CHECK(frame_bytes(PixelFormat::bc1, 1920, 1080) == std::size_t{480} * 270 * 8);
  CHECK(frame_bytes(PixelFormat::bc7, 1922, 1081) == std::size_t{481} * 271 * 16);
  CHECK((row_bytes(PixelFormat::bc1, 2) == 8 && group_rows(PixelFormat::bc1, 1) == 1));
  CHECK((has_groups(PixelFormat::bc7, 3) && has_groups(PixelFormat::rgb8, 3)));
  CHECK_FALSE(has_groups(PixelFormat::ycbcr422_8, 3));
  CHECK(frame_bytes(PixelFormat::rgb10, 1920, 1080) == std::size_t{1920} * 1080 * 15 / 4);
  CHECK_FALSE(has_groups(PixelFormat::rgb10, 1366));
  CHECK(frame_bytes_max(1920, 1080) == frame_bytes(PixelFormat::rgb10, 1920, 1080));
  CHECK(frame_bytes_max(1366, 768) == frame_bytes(PixelFormat::rgb8, 1366, 768));
  CHECK(frame_bytes_max(2, 1) == 16);  // a block is larger than two pixels
  CHECK(frame_bytes(PixelFormat::lossless, 1920, 1080) == std::size_t{5760 + 16} * 1080);
  CHECK(frame_bytes(PixelFormat::lossless, 1, 2) == std::size_t{2} * 32);
}

TEST_CASE("bands are cut at rows of groups, and carry each once") {
  truth::Random random(GENERATE(1U, 2U, 3U));
  for (int i = 0; i < 1000; ++i) {
    const auto format = all_pixel_formats[random.below(all_pixel_formats.size())];
    const auto height = static_cast<unsigned>(random.between(1, 3000));
    const auto bands = static_cast<unsigned>(random.between(1, std::min(16U, height)));
    CAPTURE(info(format).name, height, bands);
    unsigned first_pixel = 0, next = 0, fewest = height;
    for (unsigned band = 0; band < bands; ++band) {
      const RowRange pixels{first_pixel, band_height(height, bands, band)};
      const auto rows = group_rows(format, pixels);
      REQUIRE(rows.first == next);
      REQUIRE(rows.count <= group_rows(format, pixels.count));  // what memory is for
      next += rows.count;
      first_pixel += pixels.count;
      fewest = std::min(fewest, rows.count);
    }
    REQUIRE(next == group_rows(format, height));
    if (height / bands >= info(format).group_rows) REQUIRE(fewest > 0);
  }
}
