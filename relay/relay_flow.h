// One flow through a relay: forwards what comes from the server and its standby to the site's node or group, in the
// runs in which it came, and the reports of both sides. It has no key: encrypted packets and reports are forwarded as
// they are. Of packets that are not encrypted it forwards what the other server has sent already (forwarded_packets.h)
// no second time. It keeps them for some time, and answers the node's requests for them (resend_answers.h); what it
// does not have, it requests from a server, in the node's name.
//
// An agent: a step forwards what has arrived. Threads: stats() belongs to any thread, the rest to the one that steps.
#pragma once

#include "common/concurrency/agent.h"
#include "common/concurrency/snapshot.h"
#include "common/metrics/sequence_tracker.h"
#include "common/metrics/varying_frames.h"
#include "common/net/datagram_receiver.h"
#include "common/net/datagram_sender.h"
#include "common/net/flood_limit.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/rtcp.h"
#include "relay/forwarded_packets.h"
#include "relay/relay_ports.h"
#include "relay/relay_stats.h"
#include "relay/reporting_servers.h"
#include "relay/resend_answers.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lw {

class RelayFlow final : public Agent {
public:
  // `ssrc`: of the resends to the site; random (RFC 3550 section 8.1).
  RelayFlow(const Wall& wall, const WallSite& site, const Band& band, RelayPorts ports, std::uint32_t ssrc);

  Wait step(const Moment& now) override;
  void end() override { publish(); }
  [[nodiscard]] RelayStats stats() const { return published_.read(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return memory_.size() + answers_.bytes() + (forwarded_ ? forwarded_->bytes() : 0);
  }

private:
  static constexpr std::size_t control_bytes_max = rtcp_bytes_max + 64;  // with what encryption adds; longer: refused

  enum class Fate : std::uint8_t { forwarded, repeated, invalid };

  std::size_t forward_media(LocalTime now);
  void forward(std::span<std::byte> bytes, const ReceivedRun& run, LocalTime now);
  void send(std::size_t count, std::size_t datagram_bytes);
  Fate take(std::span<std::byte> datagram, LocalTime now);
  [[nodiscard]] bool is_of_stream(std::uint32_t ssrc, LocalTime now);
  void forward_to_site(LocalTime now);
  void forward_to_servers(LocalTime now);
  // What to send to servers instead of the compound; empty if it is refused.
  struct Answered {
    std::span<const std::byte> compound;
    bool requested = false;  // packets: one server resends what the relay does not have
  };
  Answered answer(std::span<const std::byte> compound, LocalTime now);
  void publish();

  const RelayPorts ports_;
  const bool encrypted_;
  SocketPort from_server_, control_from_server_, to_site_, control_to_site_;
  DatagramReceiver receiver_;
  DatagramSender sender_;
  std::vector<std::byte> memory_;  // of a batch
  std::vector<iovec> pieces_;
  std::vector<std::span<iovec>> targets_;
  std::vector<DatagramPieces> run_;
  std::size_t datagram_bytes_ = 0;  // that the sender is set to
  const std::array<int, 3> descriptors_;

  ReportingServers servers_;
  std::optional<std::uint32_t> ssrc_;  // of the stream; empty if packets are encrypted
  LocalTime stream_heard_{};
  std::optional<ForwardedPackets> forwarded_;  // if two servers may send them, not encrypted
  SequenceTracker sequences_;
  VaryingFrames varying_;
  ResendAnswers answers_;
  FloodLimit from_server_limit_, from_site_limit_;  // of RTCP
  std::array<std::byte, control_bytes_max> control_{};
  std::array<std::byte, rtcp_bytes_max> changed_control_{};
  RelayStats counted_;
  bool changed_ = false;  // the figures, since they were published
  LocalTime next_control_{};
  LocalTime next_publish_{};
  Snapshot<RelayStats> published_;
};

}  // namespace lw
