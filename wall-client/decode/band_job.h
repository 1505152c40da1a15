// Decodes one band of a format that varies in length into rows of rgb8: its chunks are shared out among the threads
// that work on it. Rows of chunks that did not arrive, or that are not valid, are missing from the result, as rows of
// lost packets are from other bands.
//
// begin() and result() belong to the presenter's thread, work() to any number of others in between. No locks; allocates
// only in reserve().
#pragma once

#include "common/pixel/lossless_band.h"
#include "wall-client/assemble/assembled_frame.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lw {

// What a thread needs for it.
class ChunkWorker {
public:
  void reserve(unsigned width);
  LosslessDecoder decoder;
  std::vector<std::byte> scratch;  // for chunks that lie in slots of packets
};

class BandJob {
public:
  // For bands of up to so many rows; `rgb` has room for their pixels.
  void reserve(unsigned width, unsigned rows, std::byte* rgb);

  // `workers` will call work() until it says that it is over. The band's memory must stay as it is until is_done().
  void begin(const ReceivedBand& band, unsigned workers);
  // Decodes up to `chunks_max` chunks. False once there are no more: the caller must not call it again for this band.
  // `last`: it was the last worker, so that now the band is done.
  bool work(ChunkWorker& worker, unsigned chunks_max, bool& last);
  [[nodiscard]] bool is_done() const { return busy_.load(std::memory_order_acquire) == 0; }

  // The band as it was received.
  [[nodiscard]] const ReceivedBand& source() const { return band_; }
  // The same with rows of rgb8, valid until the next begin().
  [[nodiscard]] ReceivedBand result();

private:
  void decode(const LosslessTable::Chunk& chunk, std::size_t number, ChunkWorker& worker);
  void read_table();

  unsigned width_ = 0;
  std::byte* rgb_ = nullptr;
  ReceivedBand band_;
  LosslessTable table_;
  std::vector<std::byte> table_bytes_;
  std::vector<std::uint8_t> decoded_;  // by chunk; each is written by one thread
  std::vector<std::uint64_t> rows_present_;
  std::atomic<std::size_t> next_{0};  // chunk
  std::atomic<unsigned> busy_{0};     // workers
};

}  // namespace lw
