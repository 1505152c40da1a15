#include "server/send/parity_encoder.h"

#include "common/wire/ntp_time.h"

namespace lw {

ParityEncoder::ParityEncoder(FecStrength strength, const StreamNumbers& numbers)
    : strength_(strength), ssrc_(numbers.parity_ssrc), sequence_(numbers.first_parity) {}

void ParityEncoder::begin_stream(const StreamNumbers& numbers) {
  ssrc_ = numbers.parity_ssrc;
  sequence_ = numbers.first_parity;
}

void ParityEncoder::lay_out(const PacketTemplates& templates, std::uint32_t media_ssrc) {
  templates_ = &templates;
  media_ssrc_ = media_ssrc;
  symbol_bytes_ = symbol_bytes_of(templates);
  groups_ = FecGroups(templates.packets().size(), strength_);
  code_.emplace(strength_, symbol_bytes_);
  const std::size_t bytes = wire::parity_header_bytes + symbol_bytes_;
  const std::size_t first_symbol = cache_line_stride(wire::parity_header_bytes);  // symbols begin at cache lines
  const std::size_t stride = cache_line_stride(bytes);
  memory_ = CacheLines(first_symbol + stride * groups_.parity_packets());
  datagrams_.resize(groups_.parity_packets());
  for (std::size_t i = 0; i < datagrams_.size(); ++i)
    datagrams_[i] = {{{memory_.data() + first_symbol - wire::parity_header_bytes + i * stride, bytes}, {}, {}}, 1};
  data_.reserve(strength_.data);
  parity_.resize(strength_.parity);
}

void ParityEncoder::begin(const FrameStamp& stamp, std::uint32_t first_sequence, const BandPixels& band,
                          std::optional<std::uint16_t> number) {
  groups_ = FecGroups(templates_->packets_of(stamp), strength_);
  stamp_ = stamp;
  frame_tag_ = frame_tag(stamp);
  first_sequence_ = first_sequence;
  band_ = band;
  encoded_ = 0;
  first_parity_ = number.value_or(sequence_);
}

void ParityEncoder::encode_for(std::size_t packets_sent) {
  const std::size_t wanted = groups_.count() * packets_sent / groups_.packets();
  while (encoded_ < wanted) encode_group(encoded_++);
}

void ParityEncoder::encode_group(std::size_t group) {
  data_.clear();
  for (std::size_t i = 0; i < groups_.size(group); ++i) {
    const auto& packet = templates_->packets()[groups_.packet(group, i)];
    data_.push_back({const_cast<std::byte*>(band_.at(packet.pixel_offset)), packet.pixel_bytes});
  }
  for (std::size_t row = 0; row < parity_.size(); ++row) {
    const auto number = groups_.parity_number(group, row);
    auto* head = static_cast<std::byte*>(datagrams_[number].pieces[0].iov_base);
    parity_[row] = head + wire::parity_header_bytes;
    const ParityPacket packet{ssrc_,
                              static_cast<std::uint16_t>(first_parity_ + number),
                              rtp_timestamp(stamp_.media_time),
                              media_ssrc_,
                              first_sequence_,
                              static_cast<std::uint32_t>(groups_.packets()),
                              static_cast<std::uint16_t>(groups_.count()),
                              static_cast<std::uint16_t>(group),
                              static_cast<std::uint8_t>(strength_.parity),
                              static_cast<std::uint8_t>(row),
                              stamp_.media_time,
                              frame_tag_,
                              stamp_.used > 0,
                              {parity_[row], symbol_bytes_}};
    write_parity_header(packet, std::span<std::byte, wire::parity_header_bytes>(head, wire::parity_header_bytes));
  }
  code_->encode(data_, parity_);
}

}  // namespace lw
