#include "common/pixel/lossless_band.h"

#include "common/pixel/pixel_format.h"

#include <zstd.h>

#include <boost/endian/conversion.hpp>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

// Levels above make frames hardly shorter, and take longer; those below take longer to decode.
constexpr int compression_level = 3;
constexpr std::size_t unit_bytes = 16;

std::uint32_t load_little(const std::byte* from) {
  return boost::endian::load_little_u32(reinterpret_cast<const unsigned char*>(from));
}
void store_little(std::byte* to, std::size_t value) {
  boost::endian::store_little_u32(reinterpret_cast<unsigned char*>(to), static_cast<std::uint32_t>(value));
}

constexpr std::size_t rounded_up(std::size_t bytes) { return (bytes + unit_bytes - 1) / unit_bytes * unit_bytes; }

std::size_t pixel_bytes(unsigned width, unsigned rows) { return std::size_t{width} * 3 * rows; }

unsigned rows_of_chunk(unsigned chunk, unsigned rows) {
  return std::min(lossless_chunk_rows, rows - chunk * lossless_chunk_rows);
}

// Of the second table too, and what is between them and the chunks.
std::size_t used_for(std::size_t chunk_bytes, unsigned rows) {
  const auto tables = (lossless_chunks(rows) > 1 ? 2 : 1) * lossless_table_bytes(rows);
  return rounded_up(tables + chunk_bytes);
}

using Byte = std::uint8_t;

void to_planes(const std::byte* rgb, std::size_t stride, unsigned width, unsigned rows, std::byte* planes) {
  const auto plane = std::size_t{width} * rows;
  for (unsigned row = 0; row < rows; ++row) {
    const auto* from = reinterpret_cast<const Byte*>(rgb + row * stride);
    auto* to = reinterpret_cast<Byte*>(planes) + std::size_t{row} * width;
    Byte g = 0, r_g = 0, b_g = 0;
    for (unsigned x = 0; x < width; ++x, from += 3) {
      const Byte next_g = from[1];
      const auto next_r_g = static_cast<Byte>(from[0] - next_g);
      const auto next_b_g = static_cast<Byte>(from[2] - next_g);
      to[x] = static_cast<Byte>(next_g - g);
      to[plane + x] = static_cast<Byte>(next_r_g - r_g);
      to[2 * plane + x] = static_cast<Byte>(next_b_g - b_g);
      g = next_g, r_g = next_r_g, b_g = next_b_g;
    }
  }
}

void from_planes(const std::byte* planes, unsigned width, unsigned rows, std::byte* rgb, std::size_t stride) {
  const auto plane = std::size_t{width} * rows;
  for (unsigned row = 0; row < rows; ++row) {
    const auto* from = reinterpret_cast<const Byte*>(planes) + std::size_t{row} * width;
    auto* to = reinterpret_cast<Byte*>(rgb + row * stride);
    Byte g = 0, r_g = 0, b_g = 0;
    for (unsigned x = 0; x < width; ++x, to += 3) {
      g = static_cast<Byte>(g + from[x]);
      r_g = static_cast<Byte>(r_g + from[plane + x]);
      b_g = static_cast<Byte>(b_g + from[2 * plane + x]);
      to[0] = static_cast<Byte>(r_g + g);
      to[1] = g;
      to[2] = static_cast<Byte>(b_g + g);
    }
  }
}

void copy_rows(const std::byte* from, std::size_t from_stride, unsigned width, unsigned rows, std::byte* to,
               std::size_t to_stride) {
  for (unsigned row = 0; row < rows; ++row)
    std::memcpy(to + row * to_stride, from + row * from_stride, pixel_bytes(width, 1));
}

}  // namespace

std::size_t lossless_used(const std::byte* first_four, std::size_t memory) {
  const std::size_t used = load_little(first_four);
  return used > 0 && used <= memory && used % unit_bytes == 0 ? used : memory;
}

bool LosslessTable::read(std::span<const std::byte> table, unsigned width, unsigned rows, std::size_t used) {
  clear();
  const auto count = lossless_chunks(rows);
  if (rows == 0 || table.size() != lossless_table_bytes(rows) || load_little(table.data()) != used) return false;
  if (load_little(table.data() + 4) != (rows | lossless_chunk_rows << 16U)) return false;
  std::size_t offset = table.size();
  for (unsigned chunk = 0; chunk < count; ++chunk) {
    const auto rows_here = rows_of_chunk(chunk, rows);
    const std::size_t bytes = load_little(table.data() + 8 + std::size_t{4} * chunk);
    if (bytes == 0 || bytes > pixel_bytes(width, rows_here)) break;
    chunks_.push_back({offset, bytes, chunk * lossless_chunk_rows, rows_here});
    offset += bytes;
  }
  if (chunks_.size() == count && used_for(offset - table.size(), rows) == used) return true;
  clear();
  return false;
}

struct LosslessEncoder::Context {
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> zstd{ZSTD_createCCtx(), ZSTD_freeCCtx};
};

LosslessEncoder::LosslessEncoder() : context_(std::make_unique<Context>()) {}
LosslessEncoder::~LosslessEncoder() = default;

std::size_t LosslessEncoder::encode(const std::byte* rgb, std::size_t stride, unsigned width, unsigned rows,
                                    std::span<std::byte> band) {
  assert(band.size() == frame_bytes(PixelFormat::lossless, width, rows) && rows <= 0xffff);
  const auto count = lossless_chunks(rows);
  const auto table_bytes = lossless_table_bytes(rows);
  planes_.resize(std::max(planes_.size(), pixel_bytes(width, lossless_chunk_rows)));
  auto* to = band.data() + table_bytes;
  for (unsigned chunk = 0; chunk < count; ++chunk) {
    const auto rows_here = rows_of_chunk(chunk, rows);
    const auto whole = pixel_bytes(width, rows_here);
    const auto* from = rgb + chunk * lossless_chunk_rows * stride;
    to_planes(from, stride, width, rows_here, planes_.data());
    // With less room, Zstandard may refuse what would fit: others would make other stores of the same pixels.
    packed_.resize(std::max(packed_.size(), ZSTD_compressBound(whole)));
    auto bytes = ZSTD_compressCCtx(context_->zstd.get(), packed_.data(), packed_.size(), planes_.data(), whole,
                                   compression_level);
    if (ZSTD_isError(bytes) == 0 && bytes < whole) {
      std::memcpy(to, packed_.data(), bytes);
    } else {
      copy_rows(from, stride, width, rows_here, to, pixel_bytes(width, 1));
      bytes = whole;
    }
    store_little(band.data() + 8 + std::size_t{4} * chunk, bytes);
    to += bytes;
  }
  const auto used = used_for(static_cast<std::size_t>(to - band.data()) - table_bytes, rows);
  assert(used <= band.size());
  store_little(band.data(), used);
  store_little(band.data() + 4, rows | lossless_chunk_rows << 16U);
  std::memset(to, 0, static_cast<std::size_t>(band.data() + band.size() - to));
  if (const auto second = lossless_second_table(rows, used); second > 0)
    std::memcpy(band.data() + second, band.data(), table_bytes);
  return used;
}

struct LosslessDecoder::Context {
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> zstd{ZSTD_createDCtx(), ZSTD_freeDCtx};
};

LosslessDecoder::LosslessDecoder() : context_(std::make_unique<Context>()) {}
LosslessDecoder::~LosslessDecoder() = default;

void LosslessDecoder::reserve(unsigned width) {
  planes_.resize(std::max(planes_.size(), pixel_bytes(width, lossless_chunk_rows)));
}

bool LosslessDecoder::decode(std::span<const std::byte> chunk, unsigned width, unsigned rows, std::byte* rgb,
                             std::size_t stride) {
  assert(rows > 0 && rows <= lossless_chunk_rows);
  const auto whole = pixel_bytes(width, rows);
  if (chunk.size() == whole) {
    copy_rows(chunk.data(), pixel_bytes(width, 1), width, rows, rgb, stride);
    return true;
  }
  if (chunk.empty() || chunk.size() > whole) return false;
  reserve(width);
  // Never more than `whole`, whatever the bytes are.
  if (ZSTD_decompressDCtx(context_->zstd.get(), planes_.data(), whole, chunk.data(), chunk.size()) != whole)
    return false;
  from_planes(planes_.data(), width, rows, rgb, stride);
  return true;
}

bool LosslessDecoder::decode_band(std::span<const std::byte> band, unsigned width, unsigned rows, std::byte* rgb,
                                  std::size_t stride) {
  const auto table_bytes = lossless_table_bytes(rows);
  if (rows == 0 || band.size() != frame_bytes(PixelFormat::lossless, width, rows)) return false;
  if (!table_.read(band.first(table_bytes), width, rows, lossless_used(band.data(), band.size()))) return false;
  return std::ranges::all_of(table_.chunks(), [&](const LosslessTable::Chunk& chunk) {
    return decode(band.subspan(chunk.offset, chunk.bytes), width, chunk.rows, rgb + chunk.first_row * stride, stride);
  });
}

bool LosslessDecoder::decode_tile(std::span<const std::byte> tile, unsigned width, unsigned height, std::byte* rgb,
                                  std::size_t stride) {
  const auto row = row_bytes(PixelFormat::lossless, width);
  if (tile.size() != row * height) return false;
  for (unsigned first = 0; first < height;) {
    const auto rows = load_little(tile.data() + first * row + 4) & 0xffffU;
    if (rows == 0 || rows > height - first) return false;
    if (!decode_band(tile.subspan(first * row, rows * row), width, rows, rgb + first * stride, stride)) return false;
    first += rows;
  }
  return true;
}

}  // namespace lw
