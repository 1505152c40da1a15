#include "tests/support/stream.h"

#include "common/pixel/lossless_band.h"

#include <algorithm>
#include <cstring>

namespace lw::truth {
namespace {

constexpr std::size_t remembered = 64;  // frames

// Noise, so that a pixel in a wrong place is a wrong pixel: of (visualization's frame, tick, offset).
Bytes picture(const FrameStamp& stamp, std::size_t bytes) {
  Bytes result((bytes + 7) / 8 * 8);
  std::uint64_t state = (std::uint64_t{stamp.frame} << 32U | std::uint64_t{stamp.generation} << 16U | stamp.tick) + 1;
  for (std::size_t i = 0; i < result.size(); i += 8) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    std::memcpy(result.data() + i, &state, 8);
  }
  result.resize(bytes);
  return result;
}

// Some rows of it, so that frames differ in length.
Bytes partly_black(Bytes rgb, const FrameStamp& stamp, std::size_t row_size) {
  for (std::size_t row = 0; row * row_size < rgb.size(); ++row)
    if ((row / 5 + stamp.frame + stamp.tick) % 4 != 0)
      std::fill_n(rgb.begin() + static_cast<std::ptrdiff_t>(row * row_size), row_size, std::byte{});
  return rgb;
}

void append(Bytes& to, const std::byte* from, std::size_t bytes) { to.insert(to.end(), from, from + bytes); }

}  // namespace

Stream::Stream(const Wall& wall, const Band& band, const std::optional<MediaKey>& key, std::uint32_t ssrc,
               std::uint32_t first_sequence)
    : width_(wall.tile(band.tile).place.width),
      rows_{band.first_row, band.rows},
      cut_(packet_cut(wall, band.tile)),
      strength_(wall.streaming.fec_strength),
      ssrc_(ssrc),
      sequence_(first_sequence) {
  if (key) sealer_.emplace(*key);
}

void Stream::lay_out(PixelFormat format) {
  if (format_ == format) return;
  format_ = format;
  templates_ = PacketTemplates::lay_out(format, width_, group_rows(format, rows_).count, cut_, ssrc_).value();
  parity_.emplace(strength_, StreamNumbers{.parity_ssrc = ssrc_ + 2});
  parity_->lay_out(templates_, ssrc_);
}

Bytes Stream::sealed(Bytes packet) {
  if (!sealer_) return packet;
  const DatagramPieces plain{{piece_of(packet.data(), packet.size()), {}, {}}, 1};
  const auto run = sealer_->seal({&plain, 1});
  const auto* data = static_cast<const std::byte*>(run.front().pieces[0].iov_base);
  return {data, data + run.front().pieces[0].iov_len};
}

Bytes Stream::sealed_rtcp(std::span<const std::byte> compound) {
  if (sealer_) compound = sealer_->seal_rtcp(compound);
  return {compound.begin(), compound.end()};
}

SentFrame Stream::made(const FrameStamp& stamp, PixelFormat format) {
  const auto rows = group_rows(format, rows_).count;
  const auto bytes = row_bytes(format, width_) * rows;
  if (!info(format).varies_in_length()) return {stamp, format, sequence_, picture(stamp, bytes), {}};
  const auto row_size = std::size_t{width_} * 3;
  SentFrame frame{stamp, format, sequence_, Bytes(bytes),
                  partly_black(picture(stamp, row_size * rows), stamp, row_size)};
  LosslessEncoder encoder;
  frame.stamp.used = static_cast<std::uint32_t>(encoder.encode(frame.rgb.data(), row_size, width_, rows, frame.pixels));
  frame.stamp.packets_before = packets_before_ + 1;
  return frame;
}

std::vector<SentDatagram> Stream::cut(const FrameStamp& of, PixelFormat format, bool with_parity) {
  lay_out(format);
  if (frames_.size() == remembered) frames_.pop_front();
  frames_.push_back(made(of, format));
  const auto& frame = frames_.back();
  const auto& stamp = frame.stamp;
  templates_.stamp(stamp, sequence_);
  const auto packets = templates_.packets().first(templates_.packets_of(stamp));
  std::vector<SentDatagram> result;
  for (const auto& packet : packets) {
    Bytes bytes;
    append(bytes, templates_.header(packet), packet.header_bytes);
    append(bytes, frame.pixels.data() + packet.pixel_offset, packet.pixel_bytes);
    append(bytes, templates_.padding(packet), packet.padding_bytes);
    const auto sequence = sequence_ + static_cast<std::uint32_t>(result.size());
    result.push_back({sealed(std::move(bytes)), packet.header_bytes, SentKind::media, ssrc_, sequence, 0,
                      packets_before_ + static_cast<std::uint32_t>(result.size())});
  }
  const auto last = sequence_ + static_cast<std::uint32_t>(result.size()) - 1;
  const auto last_packet = result.back().packet;
  if (with_parity) {
    parity_->begin(stamp, sequence_, frame.pixels.data());
    parity_->encode_for(packets.size());
    for (const auto& datagram : parity_->datagrams()) {
      const auto* data = static_cast<const std::byte*>(datagram.pieces[0].iov_base);
      result.push_back({sealed(Bytes(data, data + datagram.pieces[0].iov_len)), wire::parity_header_bytes,
                        SentKind::parity, ssrc_, last, parities_++, last_packet});
    }
    parity_->sent(parity_->datagrams().size());
  }
  sequence_ += static_cast<std::uint32_t>(templates_.packets().size());
  packets_before_ += static_cast<std::uint32_t>(packets.size());
  return result;
}

std::optional<SentDatagram> Stream::resend(std::uint32_t sequence) {
  const auto frame = std::ranges::find_if(frames_, [&](const SentFrame& sent) {
    return sent.format == format_ && sequence - sent.first_sequence < templates_.packets_of(sent.stamp);
  });
  if (frame == frames_.end()) return std::nullopt;
  const auto& packet = templates_.packets()[sequence - frame->first_sequence];
  Bytes bytes(packet.header_bytes + wire::resend_bytes);
  templates_.write_resend(packet, frame->stamp, sequence, ssrc_ + 1, resends_, bytes);
  const auto head = bytes.size();
  append(bytes, frame->pixels.data() + packet.pixel_offset, packet.pixel_bytes);
  append(bytes, templates_.padding(packet), packet.padding_bytes);
  return SentDatagram{sealed(std::move(bytes)), head, SentKind::resend, ssrc_, sequence, resends_++, 0};
}

const SentFrame* Stream::find(std::uint32_t generation, std::uint16_t tick) const {
  const auto frame = std::ranges::find_if(
      frames_, [&](const SentFrame& sent) { return sent.stamp.generation == generation && sent.stamp.tick == tick; });
  return frame != frames_.end() ? &*frame : nullptr;
}

}  // namespace lw::truth
