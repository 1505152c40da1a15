#include "wall-client/decode/band_job.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace lw {

void ChunkWorker::reserve(unsigned width) {
  decoder.reserve(width);
  scratch.resize(std::max(scratch.size(), std::size_t{width} * 3 * lossless_chunk_rows));
}

void BandJob::reserve(unsigned width, unsigned rows, std::byte* rgb) {
  width_ = width;
  rgb_ = rgb;
  table_.reserve(rows);
  table_bytes_.resize(lossless_table_bytes(rows));
  decoded_.resize(lossless_chunks(rows));
  rows_present_.resize((rows + 63) / 64);
}

void BandJob::begin(const ReceivedBand& band, unsigned workers) {
  band_ = band;
  read_table();
  std::ranges::fill(decoded_, std::uint8_t{0});
  next_.store(0, std::memory_order_relaxed);
  busy_.store(workers, std::memory_order_release);
}

// Of an incomplete band, the assembler says which of the two has arrived.
void BandJob::read_table() {
  const auto bytes = lossless_table_bytes(band_.rows);
  if (!band_.whole && !band_.table) return table_.clear();
  const auto first = band_.table.value_or(0);
  const auto table = std::span(table_bytes_).first(bytes);
  band_.pixels.copy(first, bytes, table.data());
  table_.read(table, width_, band_.rows, band_.used);
}

bool BandJob::work(ChunkWorker& worker, unsigned chunks_max, bool& last) {
  for (unsigned i = 0; i < chunks_max; ++i) {
    const auto number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= table_.chunks().size()) {
      last = busy_.fetch_sub(1, std::memory_order_acq_rel) == 1;
      return false;
    }
    decode(table_.chunks()[number], number, worker);
  }
  return true;
}

void BandJob::decode(const LosslessTable::Chunk& chunk, std::size_t number, ChunkWorker& worker) {
  for (auto row = chunk.first_row; row < chunk.first_row + chunk.rows; ++row)
    if (!band_.row_present(row)) return;
  const std::byte* bytes = band_.pixels.memory() + chunk.offset;
  if (!band_.pixels.is_plain()) {
    band_.pixels.copy(chunk.offset, chunk.bytes, worker.scratch.data());
    bytes = worker.scratch.data();
  }
  const auto stride = std::size_t{width_} * 3;
  decoded_[number] =
      worker.decoder.decode({bytes, chunk.bytes}, width_, chunk.rows, rgb_ + chunk.first_row * stride, stride) ? 1 : 0;
}

ReceivedBand BandJob::result() {
  assert(is_done());
  auto result = band_;
  result.format = PixelFormat::rgb8;
  result.pixels = rgb_;
  result.used = 0;
  result.table.reset();
  result.rows_present = rows_present_.data();
  std::ranges::fill(rows_present_, 0U);
  std::size_t complete = 0;
  for (const auto& chunk : table_.chunks()) {
    if (decoded_[static_cast<std::size_t>(&chunk - table_.chunks().data())] == 0) continue;
    ++complete;
    mark_rows(rows_present_, chunk.first_row, chunk.rows);
  }
  result.whole = complete == lossless_chunks(band_.rows);
  return result;
}

}  // namespace lw
