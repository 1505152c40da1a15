// A band's frame as it is cut into packets of one shape, and how these lie in memory and in a store: one behind the
// other, each in a slot with room for its header, so that a run of packets is one piece of memory.
//
//   slot   header | pixels | padding              a multiple of 64 bytes: a header is in one cache line
//   block  as many slots as one send may carry    padded to 4096 bytes: 46 slots of 1408 bytes, or 7 of 8960, are 64
//   KiB band   blocks
//
// Every packet has the same number of pixel bytes and of row headers (RFC 4175), so that its pixels are always at the
// same place in its slot. A row header may continue the row of the one before it. The last packet of a frame may have
// fewer pixels; if these are fewer groups than row headers, it has a row header for each, and begins later in its slot.
// docs/frame-store.md and docs/protocol.md describe it for others.
#pragma once

#include "common/pixel/pixel_format.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace lw {

// How frames are cut into packets.
enum class PacketLayout : std::uint8_t {
  in_rows,   // as many pixels as fit; the fewest row headers
  in_slots,  // PacketSlots
};

class PacketSlots {
public:
  static constexpr std::size_t alignment = 64;       // of a slot, in bytes
  static constexpr std::size_t block_padded = 4096;  // to a multiple of this

  // The largest slot for such datagrams.
  static constexpr std::size_t slot_bytes_for(std::size_t datagram_max) { return datagram_max / alignment * alignment; }

  PacketSlots() = default;
  // For so many rows of pixel groups. Empty if a slot has no room for a group, or rows are not of complete ones.
  static std::optional<PacketSlots> of(PixelFormat format, unsigned width, unsigned rows, std::size_t slot_bytes);

  [[nodiscard]] std::size_t slot_bytes() const { return slot_bytes_; }
  [[nodiscard]] std::size_t header_bytes() const { return header_bytes_; }  // of every packet but the last
  [[nodiscard]] std::size_t pixel_bytes() const { return pixel_bytes_; }    // of every packet but the last
  [[nodiscard]] std::size_t padding_bytes() const { return slot_bytes_ - header_bytes_ - pixel_bytes_; }
  [[nodiscard]] std::size_t row_headers() const { return row_headers_; }
  [[nodiscard]] std::size_t packets() const { return packets_; }  // of a frame
  [[nodiscard]] std::size_t slots_per_block() const { return slots_per_block_; }
  [[nodiscard]] std::size_t block_bytes() const { return block_bytes_; }
  [[nodiscard]] std::size_t blocks() const { return (packets_ + slots_per_block_ - 1) / slots_per_block_; }
  [[nodiscard]] std::size_t frame_bytes() const { return frame_bytes_; }  // pixels
  [[nodiscard]] std::size_t memory_bytes() const { return blocks() * block_bytes_; }

  // Packets from this one on that lie in one piece with it.
  [[nodiscard]] std::size_t together_from(std::size_t packet) const {
    const auto apart = last_later_ > 0 && packet + 1 < packets_ ? 1 : 0;
    return std::min(slots_per_block_ - packet % slots_per_block_, packets_ - apart - packet);
  }
  // Where a packet begins.
  [[nodiscard]] std::size_t slot(std::size_t packet) const {
    return base(packet) + (packet + 1 == packets_ ? last_later_ : 0);
  }
  // Where a byte of the pixels is, counted from the band's first.
  [[nodiscard]] std::size_t place(std::size_t pixel_offset) const {
    return base(pixel_offset / pixel_bytes_) + header_bytes_ + pixel_offset % pixel_bytes_;
  }
  // Calls `visit(offset, place, bytes)` for the pieces of pixels [first, last), in order.
  template <class Visit>
  void for_each_piece(std::size_t first, std::size_t last, Visit visit) const {
    while (first < last) {
      const auto bytes = std::min(last - first, pixel_bytes_ - first % pixel_bytes_);
      visit(first, place(first), bytes);
      first += bytes;
    }
  }
  // Pixels [first, last) out of a band's slots.
  void copy_out(const std::byte* memory, std::size_t first, std::size_t last, std::byte* to) const {
    for_each_piece(first, last, [&](std::size_t offset, std::size_t place, std::size_t bytes) {
      std::memcpy(to + (offset - first), memory + place, bytes);
    });
  }

  bool operator==(const PacketSlots&) const = default;

private:
  [[nodiscard]] std::size_t base(std::size_t packet) const {
    return packet / slots_per_block_ * block_bytes_ + packet % slots_per_block_ * slot_bytes_;
  }

  std::size_t slot_bytes_ = 0;
  std::size_t header_bytes_ = 0;
  std::size_t pixel_bytes_ = 0;
  std::size_t row_headers_ = 0;
  std::size_t packets_ = 0;
  std::size_t last_later_ = 0;  // by so much the last packet begins later in its slot
  std::size_t slots_per_block_ = 0;
  std::size_t block_bytes_ = 0;
  std::size_t frame_bytes_ = 0;
};

// The largest datagram of a flow and how it is filled: with these, format and size of a band, sender and receiver cut
// frames in the same way.
struct PacketCut {
  std::size_t datagram_max = 0;  // UDP payload
  PacketLayout layout = PacketLayout::in_rows;

  // Of the slots; 0: there are none.
  [[nodiscard]] std::size_t slot_bytes() const {
    return layout == PacketLayout::in_slots ? PacketSlots::slot_bytes_for(datagram_max) : 0;
  }
};

// The pixels of a band's frame in memory that others own: row behind row, or in slots.
class BandPixels {
public:
  BandPixels() = default;
  BandPixels(const std::byte* rows) : data_(rows) {}  // NOLINT(google-explicit-constructor): the plain case
  BandPixels(const std::byte* memory, const PacketSlots* layout) : data_(memory), slots_(layout) {}

  // In one piece, row behind row.
  [[nodiscard]] bool is_plain() const { return slots_ == nullptr; }
  [[nodiscard]] const std::byte* memory() const { return data_; }
  [[nodiscard]] const PacketSlots* layout() const { return slots_; }  // null: plain
  // The byte at this offset in the band, and those after it that are in the same packet.
  [[nodiscard]] const std::byte* at(std::size_t offset) const {
    return data_ + (slots_ != nullptr ? slots_->place(offset) : offset);
  }
  void copy(std::size_t first, std::size_t bytes, std::byte* to) const {
    if (slots_ == nullptr)
      std::memcpy(to, data_ + first, bytes);
    else
      slots_->copy_out(data_, first, first + bytes, to);
  }

private:
  const std::byte* data_ = nullptr;
  const PacketSlots* slots_ = nullptr;
};

}  // namespace lw
