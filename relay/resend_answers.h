// How a relay answers requests for lost packets: from a store of the newest packets, within the site's budget. All
// resends to the site are one stream, also those that come from the server, so that the site's node can count them. One
// thread; no allocation after construction.
#pragma once

#include "common/net/datagram_sender.h"
#include "common/net/flood_limit.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "common/wire/media_packet.h"
#include "common/wire/relayed.h"
#include "relay/packet_store.h"
#include "relay/relay_stats.h"

#include <boost/container/static_vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lw {

class ResendAnswers {
public:
  // Of one compound; our own nodes request no more at once.
  static constexpr std::size_t requests_max = 512;
  using Requests = boost::container::static_vector<std::int64_t, requests_max>;
  // The store has room for the playout delay of the site, at most for so many bytes.
  static constexpr std::size_t store_bytes_max = std::size_t{64} << 20U;

  // `keeps`: packets; else all requests go to the server. `sender` must outlive this object. `ssrc`: of the resends.
  ResendAnswers(const Wall& wall, const WallSite& site, const Band& band, bool keeps, DatagramSender& sender,
                std::uint32_t ssrc);

  // A packet of the server's stream that is not a resend.
  void keep(std::uint32_t sequence, std::span<const std::byte> datagram) { store_.add(sequence, datagram); }
  // Another stream begins.
  void forget() { store_.forget(); }
  // Makes a resend by the server one of this stream.
  void adopt(std::span<std::byte> resend, const MediaPacket& packet) {
    move_resend(resend, packet, ssrc_, sequence_++);
  }
  // Resends what it has. Leaves in `requested` what it does not have.
  void answer(Requests& requested, LocalTime now, RelayStats& counts);
  [[nodiscard]] std::size_t bytes() const { return store_.bytes(); }

  // The packets of the playout delay, as far as their number is limited by store_bytes_max.
  static std::size_t packets_kept(const Wall& wall, const WallSite& site, const Band& band);

private:
  static constexpr std::size_t run_max = 8;  // packets sent with one call

  void send(std::size_t count, RelayStats& counts);

  DatagramSender& sender_;
  PacketStore store_;
  FloodLimit budget_;  // packets
  const std::uint32_t ssrc_;
  std::uint16_t sequence_ = 0;
  const std::size_t resend_bytes_max_;
  std::vector<std::byte> resends_;
  std::array<DatagramPieces, run_max> run_{};
};

}  // namespace lw
