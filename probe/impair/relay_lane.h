// One direction of one port of the relay: a thread that receives packets, lets an ImpairedPath decide the fate of each,
// keeps those in flight, and sends each at its time.
#pragma once

#include "common/concurrency/snapshot.h"
#include "common/net/datagram_receiver.h"
#include "common/net/datagram_sender.h"
#include "probe/impair/impairment.h"
#include "probe/impair/packet_store.h"
#include "probe/impair/time_histogram.h"

#include <array>
#include <functional>
#include <memory>
#include <queue>
#include <thread>
#include <vector>

namespace lw {

// received = forwarded - duplicated + lost + queue_full + no_room + oversized + in flight.
struct RelayCounts {
  std::uint64_t received = 0;
  std::uint64_t forwarded = 0;  // including duplicates
  std::uint64_t bytes = 0;      // of the forwarded packets
  std::uint64_t lost = 0;       // as configured
  std::uint64_t queue_full = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t corrupted = 0;
  std::uint64_t reordered = 0;
  std::uint64_t no_room = 0;     // more in flight than the relay has memory for: not as configured
  std::uint64_t oversized = 0;   // larger than PacketStore::slot_bytes
  std::uint64_t unsendable = 0;  // refused by the kernel, or without a known receiver
  // Dropped by the kernel before the relay received them; a coalesced run may count once. Empty: unknown.
  std::optional<std::uint64_t> socket_dropped = 0;

  RelayCounts& operator+=(const RelayCounts& other);
  // Dropped by the relay and its sockets, not as configured: the path seems worse than it should be.
  [[nodiscard]] std::uint64_t own_drops() const {
    return no_room + oversized + unsendable + socket_dropped.value_or(0);
  }
};

// Of the packets that were sent, including duplicates.
struct RelayTimes {
  TimeDistribution delay;  // from the kernel's arrival time to the end of the call that sends it
  TimeDistribution late;   // from the decided departure to the end of that call
};

class RelayLane {
public:
  struct Ends {
    const UdpSocket* in = nullptr;  // both must outlive the lane
    const UdpSocket* out = nullptr;
    // The receiver's address if `out` is not connected; empty: none known yet.
    std::function<std::optional<Address>()> target;
    // Called with the source of each packet.
    std::function<void(const Address&)> on_source;
  };
  RelayLane(const std::string& name, Ends ends, const Impairment& impairment, std::uint64_t seed, std::size_t slots,
            Bottleneck* shared_link = nullptr);
  ~RelayLane();

  void change(const Impairment& impairment) { wanted_.publish(impairment); }
  [[nodiscard]] RelayCounts counts() const { return published_.read(); }
  void add_times(RelayTimes& times) const {
    times.delay.add(delays_);
    times.late.add(late_);
  }

private:
  struct Packet {
    LocalTime arrival{};
    LocalTime departure{};
    std::uint64_t number = 0;  // in order of arrival
    std::uint32_t slot = 0;
    std::uint32_t bytes = 0;
  };
  struct Later {
    bool operator()(const Packet& a, const Packet& b) const {
      return a.departure != b.departure ? a.departure > b.departure : a.number > b.number;
    }
  };
  struct Held {
    Packet packet;
    unsigned overtaken_by = 0;
    LocalTime until{};  // when it is sent even if not overtaken
  };

  void run(const std::stop_token& stop);
  [[nodiscard]] bool wait_for_packets(LocalTime now, bool busy) const;
  void receive();
  void take(const std::byte* bytes, std::size_t count, LocalTime arrival);
  std::optional<Packet> keep(const std::byte* bytes, std::size_t count, const Fate& fate, LocalTime arrival);
  void send_on(const Packet& packet);
  void release_held(bool one_more_came, LocalTime now);
  bool send_due(LocalTime now);
  void collect_due(LocalTime now);
  void send_connected();
  void send_to(const Address& target);
  void count_sent(const Packet& packet, LocalTime now);
  void count_socket_drops();

  Ends ends_;
  DatagramReceiver receiver_;
  DatagramSender sender_;
  std::size_t datagram_bytes_ = 0;
  ImpairedPath path_;
  PacketStore store_;
  std::vector<std::byte> room_;  // for received packets
  std::array<iovec, DatagramReceiver::batch_max> pieces_{};
  std::array<std::span<iovec>, DatagramReceiver::batch_max> targets_;
  std::priority_queue<Packet, std::vector<Packet>, Later> under_way_;
  LocalTime newest_departure_{};
  std::vector<Held> held_;
  std::vector<Packet> run_;
  std::uint64_t number_ = 0;
  RelayCounts counted_;
  std::uint32_t drops_seen_ = 0;  // the kernel's counter at the last look
  TimeHistogram delays_;
  TimeHistogram late_;
  Snapshot<Impairment> wanted_;
  Snapshot<RelayCounts> published_;
  std::jthread thread_;  // last: joined before the members it uses are destroyed
};

}  // namespace lw
