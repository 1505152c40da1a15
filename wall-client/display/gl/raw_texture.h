// The bytes of a tile's frame in a texture, as received: one texel is four bytes of a row, whatever the format, so
// that an upload is a plain copy (RGB8 textures made the driver convert every pixel: measured at 1080p on llvmpipe,
// upload and drawing together, 5.8 to 7.4 ms against 3.4 ms) and a change of format needs no new texture. The shaders
// take the pixels apart.
//
// Lives in one OpenGL context, which is current whenever a member is called, the destructor included.
#pragma once

#include "common/pixel/pixel_format.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/display/display.h"

#include <epoxy/gl.h>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace lw {

class RawTexture {
public:
  // `path` is mapped or client; client is taken where the driver has no buffer storage (see path()).
  RawTexture(unsigned width, unsigned height, UploadPath path);
  ~RawTexture();
  RawTexture(const RawTexture&) = delete;
  RawTexture& operator=(const RawTexture&) = delete;

  void upload(const AssembledFrame& frame);

  // Nothing before the first upload.
  [[nodiscard]] std::optional<PixelFormat> format() const { return format_; }
  [[nodiscard]] GLuint texture() const { return texture_; }
  [[nodiscard]] UploadPath path() const { return mapped_ != nullptr ? UploadPath::mapped : UploadPath::client; }

private:
  static constexpr unsigned slices = 3;  // of the mapped buffer: one is filled, one on its way, one to spare

  void map_buffer();
  void start_format(PixelFormat format);
  void upload_band(const ReceivedBand& band);
  void copy_rows(const std::byte* from, unsigned rows, std::byte* to) const;
  void upload_rows(unsigned first_row, unsigned rows, const void* from_or_offset) const;
  void wait_for_slice();

  const unsigned width_;
  const unsigned height_;
  GLuint texture_ = 0;
  std::optional<PixelFormat> format_;
  std::size_t row_size_ = 0;  // of the format
  std::size_t pitch_ = 0;     // row_size_ in whole texels
  std::size_t slice_bytes_ = 0;
  // Mapped path.
  GLuint buffer_ = 0;
  std::byte* mapped_ = nullptr;
  unsigned slice_ = 0;
  std::array<GLsync, slices> fences_{};
  // Client path, where rows are not a multiple of a texel.
  std::vector<std::byte> padded_;
};

// Uploads a few frames of this size on either path and tells the faster. In the current context; takes some 10 frames'
// time.
UploadPath faster_upload(unsigned width, unsigned height, PixelFormat format);

}  // namespace lw
