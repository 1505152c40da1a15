// One direction of one port of the relay: a thread that receives, lets an ImpairedPath decide each packet's fate, keeps
// what is under way, and sends each packet when its time has come.
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

// received = forwarded - duplicated + lost + queue_full + no_room + oversized + under way.
struct RelayCounts {
  std::uint64_t received = 0;
  std::uint64_t forwarded = 0;  // copies included
  std::uint64_t bytes = 0;      // of those
  std::uint64_t lost = 0;       // on purpose
  std::uint64_t queue_full = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t corrupted = 0;
  std::uint64_t reordered = 0;
  std::uint64_t no_room = 0;     // more were under way than the relay has memory for: not on purpose
  std::uint64_t oversized = 0;   // larger than PacketStore::slot_bytes
  std::uint64_t unsendable = 0;  // the kernel refused, or nobody to send to
  // By the kernel before the relay received them; what it coalesced may count once. Nothing: it does not say.
  std::optional<std::uint64_t> socket_dropped = 0;

  RelayCounts& operator+=(const RelayCounts& other);
  // By the relay and its sockets, not on purpose: the path seems worse than it is configured.
  [[nodiscard]] std::uint64_t own_drops() const {
    return no_room + oversized + unsendable + socket_dropped.value_or(0);
  }
};

// Of the packets that were sent, copies included.
struct RelayTimes {
  TimeDistribution delay;  // from the kernel's arrival time to the end of the call that sends it
  TimeDistribution late;   // from the decided departure to the end of that call
};

class RelayLane {
public:
  struct Ends {
    const UdpSocket* in = nullptr;  // both outlive the lane
    const UdpSocket* out = nullptr;
    // Where to send, for an `out` that is not connected; nothing: nobody to send to yet.
    std::function<std::optional<Address>()> target;
    // Told whom a packet came from.
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
    std::uint64_t number = 0;  // in the order of arrival
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
    LocalTime until{};  // when nobody overtakes it
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
  std::vector<std::byte> room_;  // that packets are received into
  std::array<iovec, DatagramReceiver::batch_max> pieces_{};
  std::array<std::span<iovec>, DatagramReceiver::batch_max> targets_;
  std::priority_queue<Packet, std::vector<Packet>, Later> under_way_;
  LocalTime newest_departure_{};
  std::vector<Held> held_;
  std::vector<Packet> run_;
  std::uint64_t number_ = 0;
  RelayCounts counted_;
  std::uint32_t drops_seen_ = 0;  // of the kernel's counter
  TimeHistogram delays_;
  TimeHistogram late_;
  Snapshot<Impairment> wanted_;
  Snapshot<RelayCounts> published_;
  std::jthread thread_;  // last: joined before what it uses goes
};

}  // namespace lw
