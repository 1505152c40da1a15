// Which RTP stream a flow listens to. Takes the first SSRC from an allowed host; another one replaces it only after it
// has been silent (a restarted server), so that a stray sender cannot mix into a stream that plays. The same holds for
// the source port. Also extends the stream's sequence numbers to 64 bits.
#pragma once

#include "common/net/address.h"
#include "common/wire/media_packet.h"
#include "common/wire/sequence.h"

#include <boost/container/static_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lw {

class StreamSource {
public:
  static constexpr std::chrono::milliseconds silence_before_change{100};

  static constexpr std::size_t paths_max = 4;       // two networks, from a server and its cold standby
  static constexpr std::int64_t jump_max = 65'536;  // packets

  // `allowed`: hosts whose packets count; empty: any. `paths`: the number of hosts from which the stream comes.
  explicit StreamSource(std::vector<Address> allowed, std::size_t paths = 1)
      : allowed_(std::move(allowed)), paths_(paths) {}

  enum class Verdict : std::uint8_t { ours, changed, refused };
  // changed: the packet is the first of a new stream; drop the open bands of the old one.
  Verdict judge(const Address& from, std::uint32_t ssrc, LocalTime now);
  // For a packet beside the stream, of forward error correction: whether it is about this stream, by one of its paths.
  // Like the stream's own packets it may be the first by a path: those of the stream that came that way before may all
  // have been repetitions, which are dropped before anybody asks for their path.
  bool judge_beside(const Address& from, std::uint32_t ssrc, LocalTime now) { return ssrc_ == ssrc && hear(from, now); }

  // Whether a packet without stamp follows the previous one for which this was asked, in the same stream (RFC 3550
  // appendix A.1): nothing else proves the header of such a packet.
  bool follows_unproven(const MediaPacket& packet);

  // The packet's 64-bit number in the stream. Our own senders give 32 bits, others 16 (their upper half stays 0). Empty
  // if it is further ahead than a single packet is trusted: one behind it confirms it (RFC 3550 appendix A.1), so that
  // one wrong packet does not make all later packets too old.
  std::optional<std::int64_t> unroll_sequence(const MediaPacket& packet);
  // The 64-bit number of the stream's packet, near the newest, for a `number` in a packet from `from`; empty if that is
  // another source.
  [[nodiscard]] std::optional<std::int64_t> sequence_of(std::uint32_t number, const Address& from) const;
  // The same for the first of `count` consecutive packets from our own sender.
  std::int64_t unroll_run(std::uint32_t first, std::size_t count);

  // Whether the stream comes from this address and port, or from this host, whatever the port.
  [[nodiscard]] bool comes_from(const Address& from) const;
  [[nodiscard]] bool comes_from_host(const Address& from) const;

  [[nodiscard]] std::optional<std::uint32_t> ssrc() const { return ssrc_; }
  [[nodiscard]] LocalTime last_heard() const { return last_heard_; }

private:
  struct Path {
    Address from;
    LocalTime last_heard{};
  };

  [[nodiscard]] bool allowed(const Address& from) const;
  bool hear(const Address& from, LocalTime now);
  [[nodiscard]] bool confirms_jump(std::int64_t sequence) const;

  std::vector<Address> allowed_;
  std::size_t paths_;
  boost::container::static_vector<Path, paths_max> heard_from_;
  std::optional<std::uint32_t> ssrc_;
  LocalTime last_heard_{};
  std::optional<std::int64_t> newest_;
  std::optional<std::int64_t> jumped_to_;  // by one packet, until another confirms it
  struct Unproven {
    std::uint32_t ssrc = 0;
    std::uint16_t sequence = 0;
    bool operator==(const Unproven&) const = default;
  };
  std::optional<Unproven> next_unproven_;
};

}  // namespace lw
