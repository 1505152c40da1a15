// The bytes of a tile's frame in a texture, as received: one texel is four bytes of a row, whatever the format, so that
// an upload is a plain copy and a change of format needs no new texture. (With RGB8 textures the driver converted every
// pixel: measured at 1080p on llvmpipe, upload and drawing together, 5.8 to 7.4 ms instead of 3.4 ms.) The shaders
// unpack the pixels. Compressed blocks are copied in the same way, into a texture that the GPU's sampler decodes; each
// of their formats has its own, from its first frame on.
//
// Belongs to one OpenGL context, which must be current for every call, including the destructor.
#pragma once

#include "common/pixel/pixel_format.h"
#include "wall-client/assemble/assembled_frame.h"
#include "wall-client/display/display.h"
#include "wall-client/display/gl/gl_fence.h"
#include "wall-client/display/gl/upload_fences.h"
#include "wall-client/display/gl/upload_memory.h"

#include <epoxy/gl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lw {

// How a texture is filled.
struct Uploads {
  UploadPath copied = UploadPath::client;  // mapped or client: what the GPU cannot read where it is
  std::optional<UploadPath> in_place;      // pinned or driver: where band buffers are that the GPU reads
};

class RawTexture {
public:
  // `slots_program`: GlPrograms::slots. Without, frames in packet slots are copied.
  RawTexture(unsigned width, unsigned height, const Uploads& uploads, GLuint slots_program);
  ~RawTexture();
  RawTexture(const RawTexture&) = delete;
  RawTexture& operator=(const RawTexture&) = delete;

  // Memory for bands, from which they are uploaded without a copy by us; null: none.
  const Pages* add_memory(std::size_t bytes, int cpu);
  void upload(const AssembledFrame& frame);
  // How many of the newest uploads the GPU may still be reading from the memory of their bands.
  [[nodiscard]] std::size_t unread() { return memory_.empty() ? 0 : fences_.unread(); }

  // Empty before the first upload.
  [[nodiscard]] std::optional<PixelFormat> format() const { return format_; }
  [[nodiscard]] GLuint texture() const { return blocks_ != 0 ? blocks_ : words_; }

private:
  static constexpr unsigned slices = 3;  // of the mapped buffer: one being filled, one in transfer, one spare

  // A band in memory that the GPU reads.
  struct InPlace {
    GLuint buffer = 0;
    std::size_t offset = 0;
  };

  void prepare_copies();
  void map_buffer();
  [[nodiscard]] std::optional<InPlace> in_place(const ReceivedBand& band) const;
  void start_format(PixelFormat format);
  void make_blocks(PixelFormat format);
  void upload_band(const ReceivedBand& band);
  void copy_rows(const BandPixels& from, unsigned first, unsigned rows, std::byte* to) const;
  void upload_copy(const BandPixels& from, unsigned row, unsigned first_row, unsigned rows);
  void upload_rows(unsigned first_row, unsigned rows, const void* from_or_offset) const;
  void upload_rows_of(GLuint buffer, std::size_t offset, unsigned first_row, unsigned rows);
  void compute_rows(const InPlace& place, const ReceivedBand& band, unsigned row, unsigned rows);

  const unsigned width_;
  const unsigned height_;
  GLuint words_ = 0;
  GLuint blocks_ = 0;  // 0: the format has none
  std::optional<PixelFormat> format_;
  std::size_t row_size_ = 0;  // of the format
  std::size_t pitch_ = 0;     // row_size_ rounded up to texels
  std::size_t slice_bytes_ = 0;
  bool reads_ = false;  // the GPU reads from buffers in this upload
  UploadFences<GlFence> fences_;
  std::vector<std::unique_ptr<UploadMemory>> memory_;
  // Mapped path, from its first copy on.
  bool maps_;
  GLuint buffer_ = 0;
  std::byte* mapped_ = nullptr;
  std::array<std::uint64_t, slices> filled_{};  // by the upload of this number
  // Client path, if the rows do not lie as texels.
  std::vector<std::byte> padded_;
  const std::optional<UploadPath> in_place_;
  const GLuint slots_program_;
  GLint storage_alignment_ = 1;  // of a buffer's part for a shader
};

}  // namespace lw
