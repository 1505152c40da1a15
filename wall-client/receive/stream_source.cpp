#include "wall-client/receive/stream_source.h"

#include <algorithm>
#include <utility>

namespace lw {

bool StreamSource::allowed(const Address& from) const {
  return allowed_.empty() || std::ranges::any_of(allowed_, [&](const Address& host) { return host.same_host(from); });
}

StreamSource::Verdict StreamSource::judge(const Address& from, std::uint32_t ssrc, LocalTime now) {
  if (ssrc_ == ssrc) {
    if (!hear(from, now)) return Verdict::refused;
    last_heard_ = std::max(last_heard_, now);
    return Verdict::ours;
  }
  if (!allowed(from) || (ssrc_ && now - last_heard_ < silence_before_change)) return Verdict::refused;
  ssrc_ = ssrc;
  heard_from_.assign(1, {from, now});
  last_heard_ = now;
  newest_.reset();
  jumped_to_.reset();
  return Verdict::changed;
}

// Whether the stream comes from there, or does from now on, because a path was never heard or fell silent.
bool StreamSource::hear(const Address& from, LocalTime now) {
  for (auto& path : heard_from_)
    if (path.from == from) {
      path.last_heard = std::max(path.last_heard, now);
      return true;
    }
  if (!allowed(from)) return false;
  const auto same_host = std::ranges::find_if(heard_from_, [&](const Path& path) { return path.from.same_host(from); });
  if (same_host == heard_from_.end() && heard_from_.size() < paths_) {
    heard_from_.push_back({from, now});
    return true;
  }
  const auto place =
      same_host != heard_from_.end() ? same_host : std::ranges::min_element(heard_from_, {}, &Path::last_heard);
  if (now - place->last_heard < silence_before_change) return false;
  *place = {from, now};
  return true;
}

bool StreamSource::comes_from(const Address& from) const {
  return std::ranges::any_of(heard_from_, [&](const Path& path) { return path.from == from; });
}

bool StreamSource::comes_from_host(const Address& from) const {
  return std::ranges::any_of(heard_from_, [&](const Path& path) { return path.from.same_host(from); });
}

bool StreamSource::follows_unproven(const MediaPacket& packet) {
  const Unproven next{packet.ssrc, static_cast<std::uint16_t>(packet.sequence + 1)};
  return std::exchange(next_unproven_, next) == Unproven{packet.ssrc, packet.sequence};
}

std::int64_t StreamSource::unroll_run(std::uint32_t first, std::size_t count) {
  const auto sequence = newest_ ? unroll<32>(*newest_, first) : std::int64_t{first};
  const auto last = sequence + static_cast<std::int64_t>(count) - 1;
  newest_ = std::max(newest_.value_or(last), last);
  return sequence;
}

std::optional<std::int64_t> StreamSource::unroll_sequence(const MediaPacket& packet) {
  const std::uint32_t wide = std::uint32_t{packet.sequence_upper} << 16U | packet.sequence;
  if (!newest_) {
    newest_ = packet.stamp ? wide : packet.sequence;
    return *newest_;
  }
  const auto sequence = packet.stamp ? unroll<32>(*newest_, wide) : unroll<16>(*newest_, packet.sequence);
  if (sequence - *newest_ > jump_max && !confirms_jump(sequence)) {
    jumped_to_ = sequence;
    return std::nullopt;
  }
  newest_ = std::max(*newest_, sequence);
  return sequence;
}

// Not by the very next number: a frame that is shorter than the longest one leaves numbers out.
bool StreamSource::confirms_jump(std::int64_t sequence) const {
  return jumped_to_ && sequence > *jumped_to_ && sequence - *jumped_to_ <= jump_max;
}

std::optional<std::int64_t> StreamSource::sequence_of(std::uint32_t number, const Address& from) const {
  if (!newest_ || !comes_from(from)) return std::nullopt;
  return unroll<32>(*newest_, number);
}

}  // namespace lw
