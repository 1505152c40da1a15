#include "probe/capacity/capacity_sender.h"

#include "common/base/timespec.h"
#include "common/wire/layer_bytes.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <random>

namespace lw {
namespace {

// Table 1 of the RFC: the time between two bursts of packets, and without reports the test stops.
constexpr std::chrono::microseconds burst_interval{100};
constexpr Nanoseconds status_patience = std::chrono::seconds{1};
constexpr double status_patience_reports = 20;
constexpr std::chrono::milliseconds behind_max{10};  // what is owed for longer is skipped, and counted
constexpr std::chrono::milliseconds beyond_end{
    100};                              // so that the receiver's last sub-interval, which began later, ends
constexpr unsigned runs_at_once = 16;  // then the reports are looked at

double packet_bits(const CapacitySpec& spec, bool ipv6) {
  return 8.0 * static_cast<double>(spec.datagram_bytes + wire::udp_header_bytes + wire::ip_header_bytes(ipv6));
}

// A packet that does not fit the path is refused: fragments are other packets than those that are counted.
void forbid_fragments(const UdpSocket& socket, bool ipv6) {
  const int never = ipv6 ? IPV6_PMTUDISC_DO : IP_PMTUDISC_DO;
  setsockopt(socket.fd(), ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, ipv6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER, &never,
             sizeof(never));
}

}  // namespace

CapacitySender::CapacitySender(const CapacitySpec& spec, std::uint64_t session, const UdpSocket& socket)
    : spec_(spec),
      session_(session),
      socket_(socket),
      packet_bits_(packet_bits(spec, socket.local_address().is_ipv6())),
      search_(spec.search_settings()),
      sender_(socket),
      filling_(spec.datagram_bytes - load_header_bytes),
      headers_(DatagramSender::run_packets_max),
      run_(DatagramSender::run_packets_max),
      offered_bits_(spec.intervals()) {
  forbid_fragments(socket, socket.local_address().is_ipv6());
  std::minstd_rand random{static_cast<std::uint32_t>(session | 1U)};  // not compressible on the way
  for (auto& byte : filling_) byte = static_cast<std::byte>(random() >> 8U);
  for (std::size_t i = 0; i < run_.size(); ++i)
    run_[i] = {{piece_of(headers_[i].data(), load_header_bytes), piece_of(filling_.data(), filling_.size())}, 2};
  sender_.set_datagram_bytes(spec.datagram_bytes);
}

CapacitySent CapacitySender::run(const std::stop_token& stop) {
  const auto patience = std::max(status_patience, nanoseconds_of(spec_.feedback_ms / 1000 * status_patience_reports));
  begin_ = next_due_ = offered_until_ = status_came_ = LocalClock::now();
  const auto end = begin_ + nanoseconds_of(spec_.duration_s) + beyond_end;
  for (LocalTime now = begin_; now < end; now = LocalClock::now()) {
    take_statuses();
    if (stop.stop_requested()) sent_.ended = "it was stopped";
    if (now - status_came_ > patience) sent_.ended = "no report of the receiver came any more";
    if (!sent_.ended.empty()) break;
    send_due(now);
    wait(now);
  }
  count_offered(LocalClock::now());
  sent_.congested = search_.congested();
  for (const double bits : offered_bits_) sent_.offered_gbit_per_s.push_back(bits * 1e-9 / spec_.interval_s);
  return sent_;
}

void CapacitySender::take_statuses() {
  std::array<std::byte, status_bytes + 1> buffer;
  while (const auto datagram = socket_.receive_now(buffer))
    if (const auto status = read_status(std::span(buffer).first(datagram->bytes), session_))
      take_status(*status, LocalClock::now());
}

void CapacitySender::take_status(const StatusPacket& status, LocalTime now) {
  const auto expected = status_ ? status_->number + 1 : 0;
  if (status_ && status.number < expected) return;  // came after a later one
  sent_.statuses_lost += status.number - expected;
  ++sent_.statuses;
  count_offered(now);
  const std::uint64_t errors = std::uint64_t{status.lost} + status.reordered + status.duplicates;
  search_.take({status.packets, static_cast<std::uint32_t>(std::min<std::uint64_t>(errors, UINT32_MAX)),
                spec_.one_way ? status.one_way_range : status.round_trip_range});
  status_ = status;
  status_came_ = now;
  next_due_ = std::min(next_due_, now + nanoseconds_of(packet_seconds()));  // the rate before may have been much lower
}

void CapacitySender::send_due(LocalTime now) {
  if (now - next_due_ > behind_max) {
    sent_.skipped +=
        static_cast<std::uint64_t>(std::chrono::duration<double>(now - next_due_).count() / packet_seconds());
    next_due_ = now;
  }
  const double packet = packet_seconds();
  const auto most = sender_.run_packets(DatagramSender::run_packets_max);
  for (unsigned runs = 0; runs < runs_at_once && next_due_ <= now; ++runs) {
    const double due = std::chrono::duration<double>(now - next_due_).count() / packet + 1;
    const auto count = static_cast<unsigned>(std::min<double>(due, most));
    send_packets(count, now);
    next_due_ += nanoseconds_of(count * packet);
  }
}

void CapacitySender::send_packets(unsigned count, LocalTime now) {
  for (unsigned i = 0; i < count; ++i) {
    LoadPacket packet{sequence_ + i, now, {}, Nanoseconds{0}};
    if (status_) packet.status_time = status_->time;
    if (status_) packet.status_held = std::max(Nanoseconds{0}, now - status_came_);  // it may have come since `now`
    write_load(packet, session_, headers_[i]);
  }
  const unsigned taken = sender_.send(std::span(run_).first(count));
  sequence_ += taken;  // what was refused is not lost on the path
  sent_.packets += taken;
  sent_.send_errors += count - taken;
}

void CapacitySender::count_offered(LocalTime until) {
  const auto interval = nanoseconds_of(spec_.interval_s);
  while (offered_until_ < until) {
    const auto index = static_cast<std::size_t>((offered_until_ - begin_) / interval);
    if (index >= offered_bits_.size()) return;
    const auto to = std::min(until, begin_ + interval * static_cast<std::int64_t>(index + 1));
    offered_bits_[index] += search_.rate().bits_per_second * std::chrono::duration<double>(to - offered_until_).count();
    offered_until_ = to;
  }
}

void CapacitySender::wait(LocalTime now) const {
  const auto until = std::max(next_due_, now + burst_interval);
  const auto time = to_timespec(std::max(until - LocalTime{LocalClock::now()}, Nanoseconds{0}));
  pollfd waited{socket_.fd(), POLLIN, 0};
  ppoll(&waited, 1, &time, nullptr);
}

}  // namespace lw
