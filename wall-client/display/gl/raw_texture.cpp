#include "wall-client/display/gl/raw_texture.h"

#include "wall-client/assemble/row_runs.h"
#include "wall-client/display/capture/to_rgb.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t texel_bytes = 4;
constexpr std::size_t group_texels = 64;  // of shaders/slots.comp
constexpr std::size_t whole_texels(std::size_t bytes) { return (bytes + texel_bytes - 1) / texel_bytes * texel_bytes; }

constexpr GLenum gl_format(PixelFormat format) {
  return format == PixelFormat::bc7 ? GL_COMPRESSED_RGBA_BPTC_UNORM : GL_COMPRESSED_RGB_S3TC_DXT1_EXT;
}

void sample_texels(GLuint texture) {
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

}  // namespace

RawTexture::RawTexture(unsigned width, unsigned height, const Uploads& uploads, GLuint slots_program)
    : width_(width),
      height_(height),
      maps_(uploads.copied == UploadPath::mapped),
      in_place_(uploads.in_place),
      slots_program_(slots_program) {
  std::size_t pitch_max = 0;
  for (const auto format : all_pixel_formats)
    if (!info(format).has_blocks() && has_groups(format, width))
      pitch_max = std::max(pitch_max, whole_texels(row_bytes(format, width)));
  slice_bytes_ = std::max(pitch_max * height, frame_bytes_max(width, height));
  glCreateTextures(GL_TEXTURE_2D, 1, &words_);
  glTextureStorage2D(words_, 1, GL_R32UI, static_cast<GLsizei>(pitch_max / texel_bytes), static_cast<GLsizei>(height));
  sample_texels(words_);
  glGetIntegerv(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT, &storage_alignment_);
  if (!in_place_) prepare_copies();
}

RawTexture::~RawTexture() {
  glDeleteBuffers(1, &buffer_);
  for (const auto* texture : {&words_, &blocks_}) glDeleteTextures(1, texture);
}

const Pages* RawTexture::add_memory(std::size_t bytes, int cpu) {
  auto memory = in_place_ ? UploadMemory::make(*in_place_, bytes, cpu) : nullptr;
  if (memory == nullptr) return nullptr;
  return &memory_.emplace_back(std::move(memory))->pages();
}

void RawTexture::prepare_copies() {
  if (maps_ && mapped_ == nullptr) map_buffer();
  if (mapped_ == nullptr) padded_.resize(slice_bytes_);
}

void RawTexture::map_buffer() {
  if (has_buffer_storage()) {
    constexpr GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const auto bytes = static_cast<GLsizeiptr>(slice_bytes_ * slices);
    glCreateBuffers(1, &buffer_);
    glNamedBufferStorage(buffer_, bytes, nullptr, flags);
    mapped_ = static_cast<std::byte*>(glMapNamedBufferRange(buffer_, 0, bytes, flags));
  }
  if (mapped_ != nullptr) return;
  maps_ = false;
  spdlog::warn("the OpenGL driver maps no upload buffer: frames are uploaded from memory, which may take longer");
}

// Bytes of another format are meaningless, so missing rows of the first frame are black.
void RawTexture::start_format(PixelFormat format) {
  format_ = format;
  row_size_ = row_bytes(format, width_);
  pitch_ = whole_texels(row_size_);
  make_blocks(format);
  std::vector<std::byte> black(pitch_);
  fill_black(format, width_, black.data());
  for (unsigned row = 0; row < group_rows(format, height_); ++row) upload_rows(row, 1, black.data());
}

void RawTexture::make_blocks(PixelFormat format) {
  glDeleteTextures(1, &blocks_);
  blocks_ = 0;
  const auto& group = info(format);
  if (!group.has_blocks()) return;
  glCreateTextures(GL_TEXTURE_2D, 1, &blocks_);
  glTextureStorage2D(blocks_, 1, gl_format(format),
                     static_cast<GLsizei>(row_size_ / group.group_bytes * group.group_pixels),
                     static_cast<GLsizei>(group_rows(format, height_) * group.group_rows));
  sample_texels(blocks_);
}

void RawTexture::copy_rows(const BandPixels& from, unsigned first, unsigned rows, std::byte* to) const {
  if (pitch_ == row_size_) return from.copy(first * row_size_, rows * row_size_, to);
  for (unsigned row = 0; row < rows; ++row) from.copy((first + row) * row_size_, row_size_, to + row * pitch_);
}

void RawTexture::upload_rows(unsigned first_row, unsigned rows, const void* from_or_offset) const {
  if (blocks_ != 0) {
    const auto& group = info(*format_);
    glCompressedTextureSubImage2D(blocks_, 0, 0, static_cast<GLint>(first_row * group.group_rows),
                                  static_cast<GLsizei>(row_size_ / group.group_bytes * group.group_pixels),
                                  static_cast<GLsizei>(rows * group.group_rows), gl_format(*format_),
                                  static_cast<GLsizei>(rows * row_size_), from_or_offset);
    return;
  }
  glTextureSubImage2D(words_, 0, 0, static_cast<GLint>(first_row), static_cast<GLsizei>(pitch_ / texel_bytes),
                      static_cast<GLsizei>(rows), GL_RED_INTEGER, GL_UNSIGNED_INT, from_or_offset);
}

void RawTexture::upload_rows_of(GLuint buffer, std::size_t offset, unsigned first_row, unsigned rows) {
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
  upload_rows(first_row, rows, reinterpret_cast<const void*>(offset));  // NOLINT: OpenGL's way to say an offset
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  reads_ = true;
}

// The shader skips the headers of the packets, where they are. The first barrier lets all that was drawn from the
// texture before finish, the second one makes the rows visible to what is drawn next.
void RawTexture::compute_rows(const InPlace& place, const ReceivedBand& band, unsigned row, unsigned rows) {
  const auto& slots = *band.pixels.layout();
  const auto before = place.offset % static_cast<std::size_t>(storage_alignment_);
  const auto number = [](std::size_t value) { return static_cast<GLuint>(value); };
  glUseProgram(slots_program_);
  glUniform1ui(0, number(before));
  glUniform3ui(1, number(slots.slot_bytes()), number(slots.header_bytes()), number(slots.pixel_bytes()));
  glUniform2ui(2, number(slots.slots_per_block()), number(slots.block_bytes()));
  glUniform2ui(3, number(row_size_), number(slots.frame_bytes()));
  glUniform3ui(4, row, band.first_row + row, number(pitch_ / texel_bytes));
  glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 0, place.buffer, static_cast<GLintptr>(place.offset - before),
                    static_cast<GLsizeiptr>(before + slots.memory_bytes()));
  glBindImageTexture(0, words_, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32UI);
  glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
  glDispatchCompute(number((pitch_ / texel_bytes + group_texels - 1) / group_texels), rows, 1);
  glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
  reads_ = true;
}

// Into a slice that the GPU has read.
void RawTexture::upload_copy(const BandPixels& from, unsigned row, unsigned first_row, unsigned rows) {
  if (mapped_ != nullptr) {
    const auto number = fences_.next();
    auto& filled = filled_[number % slices];
    if (filled != number) fences_.wait_for(std::exchange(filled, number));
    const std::size_t offset = (number % slices) * slice_bytes_ + first_row * pitch_;
    copy_rows(from, row, rows, mapped_ + offset);
    upload_rows_of(buffer_, offset, first_row, rows);
  } else if (pitch_ != row_size_ || !from.is_plain()) {
    copy_rows(from, row, rows, padded_.data());
    upload_rows(first_row, rows, padded_.data());
  } else {
    upload_rows(first_row, rows, from.at(row * row_size_));
  }
}

// Rows of slots are put together by a shader, which cannot write blocks; of plain rows, texels and rows must follow one
// another in the band as in the texture.
std::optional<RawTexture::InPlace> RawTexture::in_place(const ReceivedBand& band) const {
  const bool possible = band.pixels.is_plain() ? pitch_ == row_size_ : blocks_ == 0 && slots_program_ != 0;
  if (!possible) return std::nullopt;
  for (const auto& memory : memory_) {
    const auto offset = memory->offset_of(band.pixels.memory());
    if (offset && *offset % texel_bytes == 0) return InPlace{memory->buffer(), *offset};
  }
  return std::nullopt;
}

void RawTexture::upload_band(const ReceivedBand& band) {
  assert(band.first_row + band.rows <= group_rows(band.format, height_));
  const auto place = in_place(band);
  if (!place) prepare_copies();
  for_each_run(band, [&](unsigned row, unsigned rows) {
    const unsigned first = band.first_row + row;
    if (place && !band.pixels.is_plain())
      compute_rows(*place, band, row, rows);
    else if (place)
      upload_rows_of(place->buffer, place->offset + row * row_size_, first, rows);
    else
      upload_copy(band.pixels, row, first, rows);
  });
}

void RawTexture::upload(const AssembledFrame& frame) {
  glPixelStorei(GL_UNPACK_ALIGNMENT, texel_bytes);
  glPixelStorei(GL_UNPACK_SWAP_BYTES, std::endian::native == std::endian::big ? GL_TRUE : GL_FALSE);
  if (format_ != frame.format) start_format(frame.format);
  reads_ = false;
  for (const auto& band : frame.bands) upload_band(band);
  if (reads_)
    fences_.add(GlFence::here());
  else
    fences_.add();
}

}  // namespace lw
