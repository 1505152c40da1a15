// The bytes of a tile's frame in a texture, as received: one texel is four bytes of a row, whatever the format, so that
// an upload is a plain copy and a change of format needs no new texture. (With RGB8 textures the driver converted every
// pixel: measured at 1080p on llvmpipe, upload and drawing together, 5.8 to 7.4 ms instead of 3.4 ms.) The shaders
// unpack the pixels.
//
// Belongs to one OpenGL context, which must be current for every call, including the destructor.
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
  // `path` is mapped or client; client is used if the driver has no buffer storage (see path()).
  RawTexture(unsigned width, unsigned height, UploadPath path);
  ~RawTexture();
  RawTexture(const RawTexture&) = delete;
  RawTexture& operator=(const RawTexture&) = delete;

  void upload(const AssembledFrame& frame);

  // Empty before the first upload.
  [[nodiscard]] std::optional<PixelFormat> format() const { return format_; }
  [[nodiscard]] GLuint texture() const { return texture_; }
  [[nodiscard]] UploadPath path() const { return mapped_ != nullptr ? UploadPath::mapped : UploadPath::client; }

private:
  static constexpr unsigned slices = 3;  // of the mapped buffer: one being filled, one in transfer, one spare

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
  std::size_t pitch_ = 0;     // row_size_ rounded up to texels
  std::size_t slice_bytes_ = 0;
  // Mapped path.
  GLuint buffer_ = 0;
  std::byte* mapped_ = nullptr;
  unsigned slice_ = 0;
  std::array<GLsync, slices> fences_{};
  // Client path, if the row size is not a multiple of a texel.
  std::vector<std::byte> padded_;
};

// Uploads a few frames of this size with each path and returns the faster one. In the current context; takes about as
// long as 10 frames.
UploadPath faster_upload(unsigned width, unsigned height, PixelFormat format);

}  // namespace lw
