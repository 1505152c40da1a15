// The receiver's half of a flow's RTCP: sends a receiver report with an extended report every second to the source of
// the last sender report, requests for lost packets, and goodbye at the end. Stepped by the flow's thread.
//
// Accepts only packets from a host of the flow's stream, and from one port of it; another port is accepted only after
// that one has been silent. So no other host can decide where answers go, what time it is, or when frames are shown.
#pragma once

#include "common/clock/clock_keeper.h"
#include "common/metrics/sequence_tracker.h"
#include "common/net/address.h"
#include "common/net/datagram_port.h"
#include "common/net/flood_limit.h"
#include "common/srtp/packet_opener.h"
#include "common/srtp/packet_sealer.h"
#include "common/wire/rtcp.h"
#include "wall-client/receive/stream_source.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lw {

class RtcpResponder {
public:
  static constexpr std::chrono::seconds silence_before_change{5};
  static constexpr std::chrono::seconds report_interval{1};
  // From one report to the next while nothing is lost, on a node with so many flows: their reports together cost both
  // hosts time that packets need, as RFC 3550 section 6.2 limits them. A loss is reported within `report_interval`.
  static Nanoseconds quiet_interval(std::size_t flows) {
    constexpr std::size_t flows_of_one_second = 16;
    return std::clamp<Nanoseconds>(report_interval * flows / flows_of_one_second, report_interval, 3 * report_interval);
  }

  // `ports`: one above the flow's port, at each address of the node. `senders`: how many hosts may report to each of
  // them: a server and its standby. `ssrc`: of what it sends. `clock`: the clock that
  // this flow synchronizes, or null. `source`: of the flow; must outlive this object. `key`: encrypts what both ends
  // send. `quiet`: the interval of reports while nothing is lost.
  RtcpResponder(std::vector<std::unique_ptr<DatagramPort>> ports, std::size_t senders, std::uint32_t ssrc,
                std::string cname, ClockKeeper* clock, const StreamSource& source,
                const std::optional<MediaKey>& key = {}, Nanoseconds quiet = report_interval);

  // Takes in what has arrived. Costs a system call.
  void hear(std::uint32_t source_ssrc, LocalTime now) { receive_reports(source_ssrc, now); }
  // Whether more arrives than is accepted: the rest stays in the socket for a while.
  [[nodiscard]] bool is_flooded(LocalTime now) { return limit_.spent(now); }
  [[nodiscard]] std::vector<int> descriptors() const;  // readable when something has arrived
  // Sends a report if one is due (see next_report), after taking in what has arrived.
  void step(const Moment& now, const SequenceTracker& sequences, std::uint32_t source_ssrc,
            std::uint32_t jitter_rtp_units);
  // Whether a sender report has arrived, so that the sender's address is known.
  [[nodiscard]] bool knows_sender() const { return heard_by_ != nullptr; }
  // Requests packets with these numbers (ascending) from the sender, whose address must be known. Of two paths, each
  // call uses the other one: a packet that is requested twice gets through although one path is cut.
  void ask_for(std::span<const std::int64_t> missing, const Moment& now, const SequenceTracker& sequences,
               std::uint32_t source_ssrc, std::uint32_t jitter_rtp_units);
  // Sends the sender a clock request if one is due, and takes in its answers. Costs a system call.
  void keep_clock(std::uint32_t source_ssrc, LocalTime now);
  [[nodiscard]] WallTime next_report(WallTime now) const { return is_due(next_, now, report_interval) ? now : next_; }
  // Reports to the sender which frames are complete here; committed(): the frames to show, by its newest answer.
  // `for_node`: all flows of the node hold them, which the server may accept.
  void tell_held(std::uint32_t source_ssrc, const TickSet& held, bool for_node);
  [[nodiscard]] const TickSet& committed() const { return committed_; }
  [[nodiscard]] bool accepts_for_node() const { return accepts_for_node_; }
  // When a sender report arrived last, by any path; empty: none of this stream.
  [[nodiscard]] std::optional<LocalTime> reported() const;
  // Reports the playout delay that the frames need; delay(): the delay that all tiles use, by its newest answer.
  void tell_delay_needed(std::uint32_t source_ssrc, Nanoseconds delay);
  [[nodiscard]] const std::optional<PlayoutRamp>& delay() const { return delay_; }
  void say_goodbye(WallTime now, const SequenceTracker& sequences, std::uint32_t source_ssrc);
  // The stream was replaced: the old stream's reports and counts do not apply to the new one.
  void restart(const SequenceTracker& sequences);
  // Packets that were not accepted, including those refused by the kernel. Asks the kernel.
  [[nodiscard]] std::uint64_t refused() const;

private:
  struct Path {
    DatagramPort* port = nullptr;
    std::optional<Address> sender = {};  // the source of its reports
    LocalTime heard{};
    std::uint32_t last_sr = 0;  // the newest sender report: middle 32 bits of its NTP time; 0: none
    WallTime last_sr_arrival{};
  };

  void receive_reports(std::uint32_t source_ssrc, LocalTime now);
  bool open(UdpSocket::Datagram& datagram, LocalTime now);
  Path* path_of(const DatagramPort& port, const Address& sender, LocalTime now);
  bool take(Path& path, const UdpSocket::Datagram& datagram, std::uint32_t source_ssrc, LocalTime now);
  void send_report(WallTime now, const SequenceTracker& sequences, std::uint32_t source_ssrc, std::uint32_t jitter);
  struct Interval {
    std::uint64_t expected = 0;
    std::uint64_t lost = 0;
  };
  [[nodiscard]] Interval since_last_report(const SequenceTracker& sequences) const;
  [[nodiscard]] std::int64_t next_to_report(const SequenceTracker& sequences) const {
    return reported_up_to_ ? *reported_up_to_ + 1 : sequences.first();
  }
  [[nodiscard]] std::optional<StatisticsSummary> summary_of(const SequenceTracker& sequences,
                                                            std::uint32_t source_ssrc) const;
  [[nodiscard]] ReportBlock block_of(const Path& path, WallTime now, const SequenceTracker& sequences,
                                     std::uint32_t source_ssrc, std::uint32_t jitter) const;
  [[nodiscard]] std::span<const std::byte> sealed(std::size_t bytes);
  static void send_by(const Path& path, std::span<const std::byte> compound);
  void send(std::size_t bytes) { send_by(*heard_by_, sealed(bytes)); }
  void send_by_all_paths(std::size_t bytes);
  [[nodiscard]] const Path& next_asked(LocalTime now);

  const std::vector<std::unique_ptr<DatagramPort>> ports_;
  std::vector<Path> paths_;         // one for each port and each host that may report to it
  const Path* heard_by_ = nullptr;  // received the last sender report, and sends answers
  std::size_t asked_by_ = 0;        // sent the last request
  ClockKeeper* clock_;
  std::optional<std::uint32_t> clock_source_;  // the stream whose server the clock follows
  const StreamSource& source_;
  FloodLimit limit_;
  std::uint64_t refused_ = 0;
  std::string cname_;
  std::optional<PacketSealer> sealer_;
  std::optional<PacketOpener> opener_;
  const std::uint32_t ssrc_;
  TickSet committed_;
  bool accepts_for_node_ = false;
  std::optional<PlayoutRamp> delay_;
  WallTime next_{};
  WallTime considered_{};  // a report; it may have had nothing to say
  WallTime reported_{};
  const Nanoseconds quiet_;
  std::uint64_t lost_by_others_ = 0;   // in the streams before this one
  std::uint64_t expected_before_ = 0;  // up to the last report
  std::uint64_t received_before_ = 0;
  std::uint64_t duplicates_before_ = 0;
  std::optional<std::int64_t> reported_up_to_;  // the last sequence number covered by a report
  std::array<std::byte, rtcp_bytes_max> told_{};
  std::array<std::byte, rtcp_bytes_max + PacketSealer::rtcp_growth> buffer_{};  // a received packet
};

}  // namespace lw
