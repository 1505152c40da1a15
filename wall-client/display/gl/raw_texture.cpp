#include "wall-client/display/gl/raw_texture.h"

#include "wall-client/assemble/row_runs.h"
#include "wall-client/display/capture/to_rgb.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t texel_bytes = 4;
constexpr std::size_t whole_texels(std::size_t bytes) { return (bytes + texel_bytes - 1) / texel_bytes * texel_bytes; }

}  // namespace

RawTexture::RawTexture(unsigned width, unsigned height, UploadPath path) : width_(width), height_(height) {
  // RGB has the longest rows.
  const std::size_t pitch_max = whole_texels(row_bytes(PixelFormat::rgb8, width));
  slice_bytes_ = pitch_max * height;
  glCreateTextures(GL_TEXTURE_2D, 1, &texture_);
  glTextureStorage2D(texture_, 1, GL_R32UI, static_cast<GLsizei>(pitch_max / texel_bytes),
                     static_cast<GLsizei>(height));
  glTextureParameteri(texture_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(texture_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  if (path == UploadPath::mapped) map_buffer();
  if (mapped_ == nullptr) padded_.resize(slice_bytes_);
}

RawTexture::~RawTexture() {
  for (GLsync fence : fences_) glDeleteSync(fence);
  glDeleteBuffers(1, &buffer_);
  glDeleteTextures(1, &texture_);
}

void RawTexture::map_buffer() {
  if (epoxy_gl_version() >= 44 || epoxy_has_gl_extension("GL_ARB_buffer_storage")) {
    constexpr GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const auto bytes = static_cast<GLsizeiptr>(slice_bytes_ * slices);
    glCreateBuffers(1, &buffer_);
    glNamedBufferStorage(buffer_, bytes, nullptr, flags);
    mapped_ = static_cast<std::byte*>(glMapNamedBufferRange(buffer_, 0, bytes, flags));
  }
  if (mapped_ == nullptr)
    spdlog::warn("the OpenGL driver maps no upload buffer: frames are uploaded from memory, which may take longer");
}

// Bytes of another format are meaningless, so missing rows of the first frame are black.
void RawTexture::start_format(PixelFormat format) {
  format_ = format;
  row_size_ = row_bytes(format, width_);
  pitch_ = whole_texels(row_size_);
  std::vector<std::byte> black(pitch_);
  fill_black(format, width_, black.data());
  for (unsigned row = 0; row < height_; ++row) upload_rows(row, 1, black.data());
}

// Waits because the GPU may still read the slice that is filled next.
void RawTexture::wait_for_slice() {
  GLsync& fence = fences_[slice_];
  if (fence == nullptr) return;
  while (glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1'000'000'000) == GL_TIMEOUT_EXPIRED) {
  }
  glDeleteSync(fence);
  fence = nullptr;
}

void RawTexture::copy_rows(const std::byte* from, unsigned rows, std::byte* to) const {
  if (pitch_ == row_size_) {
    std::memcpy(to, from, rows * row_size_);
    return;
  }
  for (unsigned row = 0; row < rows; ++row) std::memcpy(to + row * pitch_, from + row * row_size_, row_size_);
}

void RawTexture::upload_rows(unsigned first_row, unsigned rows, const void* from_or_offset) const {
  glTextureSubImage2D(texture_, 0, 0, static_cast<GLint>(first_row), static_cast<GLsizei>(pitch_ / texel_bytes),
                      static_cast<GLsizei>(rows), GL_RED_INTEGER, GL_UNSIGNED_INT, from_or_offset);
}

void RawTexture::upload_band(const ReceivedBand& band) {
  assert(band.first_row + band.rows <= height_);
  for_each_run(band, [&](unsigned row, unsigned rows) {
    const std::byte* from = band.pixels + row * row_size_;
    const unsigned first = band.first_row + row;
    if (mapped_ != nullptr) {
      const std::size_t offset = slice_ * slice_bytes_ + first * pitch_;
      copy_rows(from, rows, mapped_ + offset);
      upload_rows(first, rows, reinterpret_cast<const void*>(offset));  // NOLINT: OpenGL's way to say an offset
    } else if (pitch_ != row_size_) {
      copy_rows(from, rows, padded_.data());
      upload_rows(first, rows, padded_.data());
    } else {
      upload_rows(first, rows, from);
    }
  });
}

void RawTexture::upload(const AssembledFrame& frame) {
  glPixelStorei(GL_UNPACK_ALIGNMENT, texel_bytes);
  glPixelStorei(GL_UNPACK_SWAP_BYTES, std::endian::native == std::endian::big ? GL_TRUE : GL_FALSE);
  if (format_ != frame.format) start_format(frame.format);
  if (mapped_ != nullptr) {
    wait_for_slice();
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer_);
  }
  for (const auto& band : frame.bands) upload_band(band);
  if (mapped_ == nullptr) return;
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  fences_[slice_] = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  slice_ = (slice_ + 1) % slices;
}

UploadPath faster_upload(unsigned width, unsigned height, PixelFormat format) {
  const std::vector<std::byte> pixels(row_bytes(format, width) * height);
  AssembledFrame frame;
  frame.format = format;
  frame.bands.resize(1);
  frame.bands[0].pixels = pixels.data();
  frame.bands[0].format = format;
  frame.bands[0].rows = height;
  frame.bands[0].whole = true;
  const auto shortest = [&](UploadPath path) {
    RawTexture texture(width, height, path);
    auto best = LocalClock::duration::max();
    for (int i = 0; i < 5; ++i) {  // the first ones cause page faults
      const auto start = LocalClock::now();
      texture.upload(frame);
      glFinish();
      best = std::min(best, LocalClock::now() - start);
    }
    return std::chrono::duration<double, std::milli>(best).count();
  };
  const double mapped = shortest(UploadPath::mapped);
  const double client = shortest(UploadPath::client);
  spdlog::debug("upload of a {} x {} frame: {:.2f} ms through a mapped buffer, {:.2f} ms from memory", width, height,
                mapped, client);
  return client < mapped ? UploadPath::client : UploadPath::mapped;
}

}  // namespace lw
