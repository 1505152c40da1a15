// The pixel formats that a wall plays, in the byte order of their RFC 4175 pixel group (pgroup): store, packets and
// frame buffers contain the same bytes, so that nothing on the data path touches a pixel.
#pragma once

#include "common/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lw {

enum class PixelFormat : std::uint8_t {
  rgb8,         // R G B, one byte each; pgroup 3 octets for 1 pixel
  ycbcr422_8,   // Cb Y0 Cr Y1 (UYVY); pgroup 4 octets for 2 pixels
  ycbcr422_10,  // Cb Y0 Cr Y1, 10 bits each, big-endian bit order (GStreamer UYVP); pgroup 5 octets for 2 pixels
};

inline constexpr std::array all_pixel_formats{PixelFormat::rgb8, PixelFormat::ycbcr422_8, PixelFormat::ycbcr422_10};

// RFC 4175 section 4.3 and the SDP names of SMPTE ST 2110-20. Video range, BT.709 for YCbCr; full range sRGB for RGB.
struct PixelFormatInfo {
  PixelFormat format;
  std::string_view name;      // in wall files, stores and the control protocol
  std::string_view sampling;  // SDP
  unsigned depth;             // bits per sample, SDP
  unsigned group_bytes;
  unsigned group_pixels;
  std::uint8_t payload_type;  // RTP; chosen by us from the dynamic range, so that it also identifies the format
};

const PixelFormatInfo& info(PixelFormat format);
Result<PixelFormat> parse_pixel_format(std::string_view name);
// Empty if it is that of no format. Allocates nothing: it is called for packets.
std::optional<PixelFormat> pixel_format_of_payload_type(std::uint8_t payload_type);

// Bytes of a row of `width` pixels; width must be a multiple of group_pixels.
std::size_t row_bytes(PixelFormat format, unsigned width);

}  // namespace lw
