// Which RTP stream a flow listens to. The first SSRC from an allowed host is taken; another one replaces it only when
// it has been silent (a restarted server), so that a stray sender cannot mix into a picture that plays. Also unrolls
// the stream's sequence numbers.
#pragma once

#include "common/net/address.h"
#include "common/wire/media_packet.h"
#include "common/wire/sequence.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

class StreamSource {
public:
  static constexpr std::chrono::milliseconds silence_before_change{100};

  // Hosts whose packets count; empty: any.
  explicit StreamSource(std::vector<Address> allowed) : allowed_(std::move(allowed)) {}

  enum class Verdict : std::uint8_t { ours, changed, refused };
  // changed: the packet is the first of a new stream; what was open of the old one is to be given up.
  Verdict judge(const Address& from, std::uint32_t ssrc, LocalTime now);

  // The packet's number in the stream, 64 bits. Our own senders give 32 bits, others 16 (their upper half stays 0).
  std::int64_t unroll_sequence(const MediaPacket& packet);
  // The number that a packet of the stream near the newest has, as told by a packet that came from `from`; nothing if
  // that is somebody else.
  [[nodiscard]] std::optional<std::int64_t> sequence_of(std::uint32_t number, const Address& from) const;
  // The same for the first of `count` packets of our own sender that follow one another.
  std::int64_t unroll_run(std::uint32_t first, std::size_t count);

  [[nodiscard]] std::optional<std::uint32_t> ssrc() const { return ssrc_; }
  [[nodiscard]] LocalTime last_heard() const { return last_heard_; }

private:
  [[nodiscard]] bool allowed(const Address& from) const;

  std::vector<Address> allowed_;
  std::optional<std::uint32_t> ssrc_;
  LocalTime last_heard_{};
  std::optional<std::int64_t> newest_;
};

}  // namespace lw
