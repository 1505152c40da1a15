#include "common/wire/packet_slots.h"

#include "common/net/datagram_sender.h"
#include "common/wire/media_packet.h"

namespace lw {
namespace {

std::size_t head_bytes(PixelFormat format, std::size_t row_headers) {
  return wire::before_rows(format) + row_headers * sizeof(wire::RowHeader);
}

}  // namespace

std::optional<PacketSlots> PacketSlots::of(PixelFormat format, unsigned width, unsigned rows, std::size_t slot_bytes) {
  if (!has_groups(format, width)) return std::nullopt;
  const std::size_t group = info(format).group_bytes;
  const std::size_t of_row = row_bytes(format, width) / group;
  PacketSlots slots;
  slots.slot_bytes_ = slot_bytes;
  slots.frame_bytes_ = of_row * group * rows;
  if (slots.frame_bytes_ == 0) return std::nullopt;
  // As few row headers as suffice for as many pixels as fit beside them, wherever a packet begins.
  for (std::size_t headers = 1;; ++headers) {
    if (head_bytes(format, headers) + headers * group > slot_bytes) return std::nullopt;
    const auto fit = (slot_bytes - head_bytes(format, headers)) / group;
    if (headers < rows && (headers - 1) * of_row + 1 < fit) continue;
    slots.row_headers_ = headers;
    slots.header_bytes_ = head_bytes(format, headers);
    slots.pixel_bytes_ = std::min(fit, of_row * rows) * group;
    break;
  }
  slots.packets_ = (slots.frame_bytes_ + slots.pixel_bytes_ - 1) / slots.pixel_bytes_;
  const auto of_last = (slots.frame_bytes_ - (slots.packets_ - 1) * slots.pixel_bytes_) / group;
  slots.last_later_ = (slots.row_headers_ - std::min(slots.row_headers_, of_last)) * sizeof(wire::RowHeader);
  // A block is sent at once.
  slots.slots_per_block_ = std::min({std::max<std::size_t>(1, DatagramSender::run_bytes_max / slot_bytes),
                                     std::size_t{DatagramSender::run_packets_max}, slots.packets_});
  slots.block_bytes_ = (slots.slots_per_block_ * slot_bytes + block_padded - 1) / block_padded * block_padded;
  return slots;
}

}  // namespace lw
