// What reached the socket of a flow's receiver: the truth with which its ledger is compared. Streams follow one
// another, each with its own SSRC. The laws are those of docs/metrics.md ("The ledger").
#pragma once

#include "common/metrics/flow_stats.h"
#include "tests/support/stream.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace lw::truth {

class Arrivals {
public:
  using Expect = std::function<void(bool holds, const std::string& law)>;

  // `intact`: its bits were not changed.
  void arrive(const SentDatagram& datagram, unsigned path, bool intact);
  // Something arrived that the receiver may or may not accept.
  void doubt() { doubtful_ = true; }
  // The full socket dropped it.
  void drop(const SentDatagram& datagram) { ++drops_[static_cast<std::size_t>(datagram.kind)]; }

  // Checks laws that hold whatever arrived.
  void check(const ReceiverFlowStats& stats, const Expect& expect) const;
  // Checks laws that hold if each stream began with intact packets while no other was heard. `sealed`: the flow is
  // encrypted, which identifies repeated packets.
  void check_streams(const ReceiverFlowStats& stats, bool sealed, const Expect& expect) const;

private:
  struct Received {
    std::uint32_t first = 0;
    std::int64_t reached = 0;  // the highest number known to have been sent, from the first on
    std::set<std::int64_t> came;
  };
  // Adds the number to those received of a stream. Empty if it is before the first.
  static std::optional<bool> add(Received& stream, std::int64_t number);
  void arrive_media(const SentDatagram& datagram);
  void arrive_beside(std::map<std::uint32_t, Received>& streams, const SentDatagram& datagram, std::uint64_t& repeated);

  std::map<std::uint32_t, Received> streams_;                          // by SSRC
  std::map<std::uint32_t, Received> parity_streams_, resend_streams_;  // by that of the stream they belong to
  bool doubtful_ = false;
  std::uint64_t datagrams_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t second_path_ = 0;
  std::uint64_t changed_ = 0;
  std::uint64_t parity_ = 0;           // with repeated ones
  std::uint64_t resends_ = 0;          // likewise
  std::uint64_t parity_repeated_ = 0;  // of those
  std::uint64_t resends_repeated_ = 0;
  std::uint64_t duplicates_ = 0;  // of media
  std::uint64_t reordered_ = 0;
  std::array<std::uint64_t, 3> drops_{};  // by SentKind
};

}  // namespace lw::truth
