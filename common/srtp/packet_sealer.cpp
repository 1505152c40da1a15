#include "common/srtp/packet_sealer.h"

#include "common/wire/media_packet.h"

#include <openssl/rand.h>

#include <algorithm>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t random_bytes = 6;  // of an id
constexpr std::size_t cache_line = 64;
// RFC 3711 section 9.2 allows 2^31.
constexpr std::uint32_t compounds_per_key_max = std::uint32_t{1} << 30U;

constexpr std::size_t room_for(std::size_t packet_bytes) {
  return (packet_bytes + PacketSealer::rtcp_growth + cache_line - 1) / cache_line * cache_line;
}

}  // namespace

// The next key: with the next count, or with a new random id if the counts are used up.
bool PacketSealer::renew(Stream& stream) {
  auto& id = stream.id;
  const bool first = !stream.context.has_value();
  const unsigned count = first ? 0 : (unsigned{id[6]} << 8U | id[7]) + 1U;
  if ((first || count > 0xffffU) && RAND_bytes(id.data(), random_bytes) != 1) return false;
  id[6] = static_cast<unsigned char>(count >> 8U);
  id[7] = static_cast<unsigned char>(count);
  stream.context = SrtpContext::create(key_, id, SrtpContext::Direction::sealing);
  return stream.context.has_value();
}

PacketSealer::Stream* PacketSealer::stream_of(const std::byte* header) {
  wire::RtpHeader rtp;
  std::memcpy(&rtp, header, sizeof(rtp));
  const auto ssrc = rtp.ssrc.value();
  const auto sequence = rtp.sequence.value();
  auto stream = std::ranges::find(streams_, ssrc, &Stream::ssrc);
  if (stream == streams_.end()) stream = streams_.insert(stream, Stream{ssrc});
  if ((!stream->context || sequence < stream->last) && !renew(*stream)) return nullptr;
  stream->last = sequence;
  return &*stream;
}

std::span<const DatagramPieces> PacketSealer::seal(std::span<const DatagramPieces> run) {
  std::size_t wanted = 0;
  for (const auto& datagram : run) wanted += room_for(datagram.bytes());
  if (memory_.size() < wanted) memory_.resize(wanted);
  sealed_.resize(run.size());
  std::size_t at = 0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    auto* const packet = memory_.data() + at;
    std::size_t bytes = 0;
    for (unsigned piece = 0; piece < run[i].count; ++piece) {
      std::memcpy(packet + bytes, run[i].pieces[piece].iov_base, run[i].pieces[piece].iov_len);
      bytes += run[i].pieces[piece].iov_len;
    }
    const auto room = room_for(bytes);
    auto* stream = stream_of(packet);
    if (stream == nullptr || !stream->context->seal(SrtpContext::Kind::media, {packet, room}, bytes))
      return std::span(sealed_).first(i);
    sealed_[i] = {{piece_of(packet, bytes), {}, {}}, 1};
    at += room;
  }
  return sealed_;
}

std::span<const std::byte> PacketSealer::seal_rtcp(std::span<const std::byte> compound) {
  const auto room = room_for(compound.size());
  if (memory_.size() < room) memory_.resize(room);
  if ((!rtcp_.context || ++compounds_ > compounds_per_key_max) && !renew(rtcp_)) return {};
  if (compounds_ > compounds_per_key_max) compounds_ = 0;
  std::memcpy(memory_.data(), compound.data(), compound.size());
  auto bytes = compound.size();
  if (!rtcp_.context->seal(SrtpContext::Kind::rtcp, {memory_.data(), room}, bytes)) return {};
  return {memory_.data(), bytes};
}

}  // namespace lw
