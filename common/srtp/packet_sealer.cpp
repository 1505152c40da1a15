#include "common/srtp/packet_sealer.h"

#include "common/wire/media_packet.h"

#include <openssl/rand.h>

#include <algorithm>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t random_bytes = 6;  // of an id
// RFC 3711 section 9.2 allows 2^31.
constexpr std::uint32_t compounds_per_key_max = std::uint32_t{1} << 30U;

}  // namespace

// The next key: with the next count, or with a new random id if the counts are used up.
bool PacketSealer::renew(Stream& stream) {
  auto& id = stream.id;
  const bool first = stream.context == nullptr;
  const unsigned count = first ? 0 : (unsigned{id[6]} << 8U | id[7]) + 1U;
  if ((first || count > 0xffffU) && RAND_bytes(id.data(), random_bytes) != 1) return false;
  id[6] = static_cast<unsigned char>(count >> 8U);
  id[7] = static_cast<unsigned char>(count);
  stream.context = SrtpContext::create(key_, id, SrtpContext::Direction::sealing);
  return stream.context != nullptr;
}

// Null if it is not an RTP packet, or if there is no key for it.
PacketSealer::Stream* PacketSealer::stream_of(const DatagramPieces& packet) {
  wire::RtpHeader rtp;
  if (packet.pieces[0].iov_len < sizeof(rtp)) return nullptr;
  std::memcpy(&rtp, packet.pieces[0].iov_base, sizeof(rtp));
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
  for (const auto& datagram : run) wanted += datagram.bytes() + media_growth;
  if (memory_.size() < wanted) memory_.resize(wanted);
  sealed_.resize(run.size());
  auto* to = memory_.data();
  for (std::size_t i = 0; i < run.size(); ++i) {
    auto* stream = stream_of(run[i]);
    const auto bytes = stream != nullptr ? stream->context->seal({run[i].pieces, run[i].count}, to) : 0;
    if (bytes == 0) return std::span(sealed_).first(i);
    sealed_[i] = {{piece_of(to, bytes), {}, {}}, 1};
    to += bytes;
  }
  return sealed_;
}

std::span<const std::byte> PacketSealer::seal_rtcp(std::span<const std::byte> compound) {
  const auto room = compound.size() + rtcp_growth;
  if (memory_.size() < room) memory_.resize(room);
  if ((!rtcp_.context || ++compounds_ > compounds_per_key_max) && !renew(rtcp_)) return {};
  if (compounds_ > compounds_per_key_max) compounds_ = 0;
  return {memory_.data(), rtcp_.context->seal_rtcp(compound, memory_.data())};
}

}  // namespace lw
