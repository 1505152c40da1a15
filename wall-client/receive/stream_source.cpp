#include "wall-client/receive/stream_source.h"

#include <algorithm>

namespace lw {

bool StreamSource::allowed(const Address& from) const {
  return allowed_.empty() || std::ranges::any_of(allowed_, [&](const Address& host) { return host.same_host(from); });
}

StreamSource::Verdict StreamSource::judge(const Address& from, std::uint32_t ssrc, LocalTime now) {
  if (!allowed(from)) return Verdict::refused;
  if (ssrc_ == ssrc) {
    last_heard_ = std::max(last_heard_, now);
    return Verdict::ours;
  }
  if (ssrc_ && now - last_heard_ < silence_before_change) return Verdict::refused;
  ssrc_ = ssrc;
  last_heard_ = now;
  newest_.reset();
  return Verdict::changed;
}

std::int64_t StreamSource::unroll_run(std::uint32_t first, std::size_t count) {
  const auto sequence = newest_ ? unroll<32>(*newest_, first) : std::int64_t{first};
  const auto last = sequence + static_cast<std::int64_t>(count) - 1;
  newest_ = std::max(newest_.value_or(last), last);
  return sequence;
}

std::int64_t StreamSource::unroll_sequence(const MediaPacket& packet) {
  const std::uint32_t wide = std::uint32_t{packet.sequence_upper} << 16U | packet.sequence;
  if (!newest_) {
    newest_ = packet.stamp ? wide : packet.sequence;
    return *newest_;
  }
  const auto sequence = packet.stamp ? unroll<32>(*newest_, wide) : unroll<16>(*newest_, packet.sequence);
  newest_ = std::max(*newest_, sequence);
  return sequence;
}

std::optional<std::int64_t> StreamSource::sequence_of(std::uint32_t number, const Address& from) const {
  if (!newest_ || !allowed(from)) return std::nullopt;
  return unroll<32>(*newest_, number);
}

}  // namespace lw
