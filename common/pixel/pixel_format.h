// The pixel formats that a wall plays, in the byte order of their pixel group: store, packets and frame buffers contain
// the same bytes, so that nothing on the data path touches a pixel. Uncompressed formats have the groups of RFC 4175
// (pgroup). Of the compressed ones, a group is a block of 4 x 4 pixels, which a GPU's sampler decodes; where a tile's
// size is not a multiple of 4, its last blocks extend beyond it.
//
// A frame of `lossless` is as long as its content makes it (lossless_band.h), and in the same place as if it were as
// long as it can be at most. Its groups are 16 octets of a band, and its rows those of the memory for the longest.
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
  bc7,          // blocks of 16 octets (Khronos Data Format Specification, BPTC)
  bc1,          // blocks of 8 octets (the same, S3TC)
  rgb10,        // R G B, 10 bits each, big-endian bit order; pgroup 15 octets for 4 pixels
  lossless,     // rgb8, compressed without loss in chunks of rows
};

inline constexpr std::array all_pixel_formats{PixelFormat::rgb8,    PixelFormat::ycbcr422_8, PixelFormat::ycbcr422_10,
                                              PixelFormat::bc7,     PixelFormat::bc1,        PixelFormat::rgb10,
                                              PixelFormat::lossless};

// RFC 4175 section 4.3 and the SDP names of SMPTE ST 2110-20. Video range for YCbCr, full range for RGB (colour.h).
struct PixelFormatInfo {
  PixelFormat format;
  std::string_view name;      // in wall files, stores and the control protocol
  std::string_view sampling;  // SDP
  unsigned depth;             // bits per sample, SDP
  unsigned group_bytes;
  unsigned group_pixels;  // in a row
  unsigned group_rows;
  std::uint8_t payload_type;  // RTP; chosen by us from the dynamic range, so that it also identifies the format

  [[nodiscard]] bool is_rgb() const { return sampling == "RGB"; }  // also blocks, when decoded
  // Groups are compressed blocks.
  [[nodiscard]] bool has_blocks() const { return group_rows > 1; }
  // Only a part of a band's memory is used: from its beginning on, as much as the content needs.
  [[nodiscard]] bool varies_in_length() const { return format == PixelFormat::lossless; }
  // Made from pixels of rgb8, which decoders make of it again.
  [[nodiscard]] bool is_made_from_rgb8() const { return has_blocks() || varies_in_length(); }
};

const PixelFormatInfo& info(PixelFormat format);
// The error lists the names.
Result<PixelFormat> parse_pixel_format(std::string_view name);
// Empty if it is that of no format. Allocates nothing: it is called for packets.
std::optional<PixelFormat> pixel_format_of_payload_type(std::uint8_t payload_type);

// Whether rows of this width consist of pixel groups: of complete ones, or of blocks.
bool has_groups(PixelFormat format, unsigned width);
// Bytes of a row of groups that covers `width` pixels, for which has_groups is true.
std::size_t row_bytes(PixelFormat format, unsigned width);

// Rows from the top of a tile: of pixels, or of pixel groups.
struct RowRange {
  unsigned first = 0;
  unsigned count = 0;
  bool operator==(const RowRange&) const = default;
};
// Rows of groups that cover so many rows of pixels.
unsigned group_rows(PixelFormat format, unsigned pixel_rows);
// Those of a band of these rows of pixels: they begin in it. Bands are therefore cut at rows of groups, and bands that
// cover a tile carry each of its groups once. A band of fewer rows than a group may have none.
RowRange group_rows(PixelFormat format, RowRange pixel_rows);

// Bytes of a frame, and of one in the format that needs most, as displays get it: decoded, if it varies in length.
std::size_t frame_bytes(PixelFormat format, unsigned width, unsigned pixel_rows);
std::size_t frame_bytes_max(unsigned width, unsigned pixel_rows);

}  // namespace lw
