#include "server/send/resender.h"

namespace lw {
namespace {

constexpr std::size_t head_bytes_max = 9216;  // for a packet that consists only of row headers

}  // namespace

Resender::Resender(std::size_t frames, Nanoseconds keep, PacketSealer* sealer, std::uint32_t ssrc,
                   std::uint16_t first_sequence, std::size_t receivers)
    : sent_(frames), keep_(keep), sealer_(sealer) {
  for (std::size_t i = 0; i < receivers; ++i)
    receivers_.push_back({ssrc + static_cast<std::uint32_t>(i), first_sequence});
  for (auto& head : heads_) head.resize(head_bytes_max);
}

void Resender::want(std::size_t receiver, std::uint32_t sequence) {
  auto& asking = receivers_[receiver];
  if (asking.wanted.full())
    ++asking.totals.refused;
  else
    asking.wanted.push_back(sequence);
}

void Resender::step(std::size_t receiver, DatagramSender& sender, const FramePackets& packets, const Moment& now) {
  auto& asking = receivers_[receiver];
  sent_.forget_before(now.wall - keep_);
  while (!asking.wanted.empty()) {
    std::size_t count = 0;
    bool spent = false;
    for (; count < run_max && !asking.wanted.empty(); asking.wanted.pop_front()) {
      if (!prepare(asking, count, packets, asking.wanted.front())) {
        ++asking.totals.refused;
        continue;
      }
      // Waits if the budget does not allow it now; at the frame's end it is refused.
      spent = !asking.budget.take(run_[count].bytes(), now.local);
      if (spent) break;
      ++count;
    }
    if (count > 0) {
      std::span<const DatagramPieces> run = std::span(run_).first(count);
      if (sealer_ != nullptr) run = sealer_->seal(run);
      const unsigned sent = sender.send_apart(run, now.wall.time_since_epoch() + sender.departure_margin());
      asking.sequence = static_cast<std::uint16_t>(asking.sequence + count);
      asking.totals.packets += sent;
      asking.totals.errors += count - sent;
      for (const auto& datagram : run.first(sent)) asking.totals.bytes += datagram.bytes();
    }
    if (spent || count == 0) return;
  }
}

bool Resender::prepare(const Receiver& receiver, std::size_t place, const FramePackets& packets,
                       std::uint32_t sequence) {
  const auto& templates = packets.templates();
  const auto* frame = sent_.find(sequence);
  if (frame == nullptr || sequence - frame->first_sequence >= templates.packets().size()) return false;
  const auto& packet = templates.packets()[sequence - frame->first_sequence];
  if (packet.header_bytes + wire::resend_bytes > head_bytes_max) return false;
  const auto head = templates.write_resend(packet, frame->stamp, sequence, receiver.ssrc,
                                           static_cast<std::uint16_t>(receiver.sequence + place), heads_[place]);
  auto& datagram = run_[place];
  datagram.pieces[0] = piece_of(heads_[place].data(), head);
  datagram.pieces[1] = piece_of(packets.pixels_of(*frame->buffer).at(packet.pixel_offset), packet.pixel_bytes);
  datagram.count = 2;
  if (packet.padding_bytes > 0)
    datagram.pieces[datagram.count++] = piece_of(templates.padding(packet), packet.padding_bytes);
  return true;
}

}  // namespace lw
