#include "probe/capacity/capacity_receiver.h"

#include <sys/socket.h>

namespace lw {
namespace {

constexpr Nanoseconds load_patience = std::chrono::seconds{1};  // table 1 of the RFC
constexpr std::chrono::milliseconds look_up{2};
constexpr std::size_t buffer_bytes = std::size_t{16} << 20U;

double microseconds_of(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }
std::optional<double> microseconds_of(const std::optional<Nanoseconds>& time) {
  return time ? std::optional(microseconds_of(*time)) : std::nullopt;
}

const UdpSocket& prepared(const UdpSocket& socket) {
  [[maybe_unused]] const auto granted = socket.grow_receive_buffer(buffer_bytes);
  [[maybe_unused]] const auto set = socket.set_receive_timeout(look_up);
  return socket;
}

void say(const UdpSocket& socket, std::span<const std::byte> packet) {
  [[maybe_unused]] const auto sent = ::send(socket.fd(), packet.data(), packet.size(), MSG_DONTWAIT);
}

}  // namespace

CapacityReceiver::CapacityReceiver(const CapacitySpec& spec, std::uint64_t session, const UdpSocket& socket, bool calls)
    : spec_(spec),
      session_(session),
      socket_(socket),
      calls_(calls),
      counter_(nanoseconds_of(spec.interval_s), spec.intervals()),
      receiver_(prepared(socket)),
      memory_(DatagramReceiver::batch_max * DatagramReceiver::run_bytes_max) {
  pieces_.reserve(DatagramReceiver::batch_max);
  for (std::size_t i = 0; i < DatagramReceiver::batch_max; ++i) {
    pieces_.push_back({memory_.data() + i * DatagramReceiver::run_bytes_max, DatagramReceiver::run_bytes_max});
    targets_.emplace_back(&pieces_[i], 1);
  }
}

CapacityReceived CapacityReceiver::run(const std::stop_token& stop) {
  const LocalTime begin = LocalClock::now();
  next_word_ = begin;
  while (!counter_.complete() && received_.ended.empty()) {
    take_runs();
    const LocalTime now = LocalClock::now();
    counter_.step(now);
    if (now >= next_word_) speak(now);
    received_.ended = stop.stop_requested() ? "it was stopped" : broken(now, begin);
  }
  if (counter_.complete()) received_.ended.clear();
  return report();
}

void CapacityReceiver::take_runs() {
  const auto runs = receiver_.receive(targets_);
  const auto returned = receiver_.returned_at();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto& run = runs[i];
    drops_ += run.dropped_before;
    const auto arrival = returned.local - (returned.wall - run.arrival);
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(pieces_[i].iov_base), run.bytes);
    for (std::size_t j = 0; j < run.datagrams(); ++j) {
      const auto datagram = bytes.subspan(j * run.datagram_bytes, run.bytes_of(j));
      const auto packet = datagram.size() == spec_.datagram_bytes ? read_load(datagram, session_) : std::nullopt;
      if (packet)
        counter_.take(*packet, arrival);
      else if (!is_hello(datagram, session_))
        ++received_.strange;
    }
  }
}

void CapacityReceiver::speak(LocalTime now) {
  if (calls_ && !counter_.begun()) {
    say(socket_, write_hello(session_));
    next_word_ = now + capacity_hello_interval;
    return;
  }
  say(socket_, write_status(counter_.report(now), session_));
  next_word_ = std::max(next_word_, now - look_up) + nanoseconds_of(spec_.feedback_ms / 1000);
}

std::string CapacityReceiver::broken(LocalTime now, LocalTime begin) const {
  if (!counter_.begun()) return now - begin > capacity_begins_within ? "nothing of the sender came" : "";
  return now - counter_.newest() > load_patience ? "no packets of the sender came any more" : "";
}

CapacityReceived CapacityReceiver::report() {
  for (const auto& interval : counter_.intervals())
    received_.intervals.push_back({interval.counts.sent, interval.counts.received, interval.counts.lost(),
                                   interval.counts.reordered, interval.counts.duplicates,
                                   microseconds_of(interval.round_trip.min), microseconds_of(interval.round_trip.max),
                                   microseconds_of(interval.one_way.range_above(counter_.one_way()))});
  if (receiver_.counts_drops()) received_.kernel_drops = drops_;
  return received_;
}

}  // namespace lw
