#include "server/send/resender.h"

namespace lw {
namespace {

constexpr std::size_t head_bytes_max = 9216;  // for a packet that consists only of row headers

}  // namespace

Resender::Resender(std::size_t frames, Nanoseconds keep, PacketSealer* sealer, std::uint32_t ssrc,
                   std::uint16_t first_sequence)
    : sent_(frames),
      keep_(keep),
      sealer_(sealer),
      wanted_(wanted_max),
      budget_(BitRate{0}, budget_depth),
      ssrc_(ssrc),
      sequence_(first_sequence) {
  for (auto& head : heads_) head.resize(head_bytes_max);
}

void Resender::want(std::uint32_t sequence) {
  if (wanted_.full())
    ++totals_.refused;
  else
    wanted_.push_back(sequence);
}

void Resender::step(DatagramSender& sender, const PacketTemplates& templates, std::size_t band, const Moment& now) {
  sent_.forget_before(now.wall - keep_);
  while (!wanted_.empty()) {
    std::size_t count = 0;
    bool spent = false;
    for (; count < run_max && !wanted_.empty(); wanted_.pop_front()) {
      if (!prepare(count, templates, band, wanted_.front())) {
        ++totals_.refused;
        continue;
      }
      // Waits if the budget does not allow it now; at the frame's end it is refused.
      spent = !budget_.take(run_[count].bytes(), now.local);
      if (spent) break;
      ++count;
    }
    if (count > 0) {
      std::span<const DatagramPieces> run = std::span(run_).first(count);
      if (sealer_ != nullptr) run = sealer_->seal(run);
      const unsigned sent = sender.send_apart(run, now.wall.time_since_epoch() + sender.departure_margin());
      sequence_ = static_cast<std::uint16_t>(sequence_ + count);
      totals_.packets += sent;
      totals_.errors += count - sent;
      for (const auto& datagram : run.first(sent)) totals_.bytes += datagram.bytes();
    }
    if (spent || count == 0) return;
  }
}

bool Resender::prepare(std::size_t slot, const PacketTemplates& templates, std::size_t band, std::uint32_t sequence) {
  const auto* frame = sent_.find(sequence);
  if (frame == nullptr || sequence - frame->first_sequence >= templates.packets().size()) return false;
  const auto& packet = templates.packets()[sequence - frame->first_sequence];
  if (packet.header_bytes + wire::resend_bytes > head_bytes_max) return false;
  const auto head = templates.write_resend(packet, frame->stamp, sequence, ssrc_,
                                           static_cast<std::uint16_t>(sequence_ + slot), heads_[slot]);
  auto& datagram = run_[slot];
  datagram.pieces[0] = piece_of(heads_[slot].data(), head);
  datagram.pieces[1] = piece_of(frame->buffer->data + band + packet.pixel_offset, packet.pixel_bytes);
  datagram.count = 2;
  if (packet.padding_bytes > 0)
    datagram.pieces[datagram.count++] = piece_of(templates.padding(packet), packet.padding_bytes);
  return true;
}

}  // namespace lw
