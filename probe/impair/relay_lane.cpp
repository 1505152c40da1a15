#include "probe/impair/relay_lane.h"

#include "common/concurrency/pinned_thread.h"
#include "common/net/socket_drops.h"

#include <poll.h>

#include <algorithm>
#include <cstring>

namespace lw {
namespace {

constexpr std::chrono::milliseconds lane_waits_max{2};
constexpr std::chrono::milliseconds publish_interval{10};
// A packet held back to be overtaken waits no longer than this.
constexpr std::chrono::milliseconds held_max{50};

// Avoids allocations while packets flow. Only used memory becomes resident.
template <class T>
std::vector<T> room_for(std::size_t count) {
  std::vector<T> room;
  room.reserve(count);
  return room;
}

}  // namespace

RelayCounts& RelayCounts::operator+=(const RelayCounts& other) {
  received += other.received;
  forwarded += other.forwarded;
  bytes += other.bytes;
  lost += other.lost;
  queue_full += other.queue_full;
  duplicated += other.duplicated;
  corrupted += other.corrupted;
  reordered += other.reordered;
  no_room += other.no_room;
  oversized += other.oversized;
  unsendable += other.unsendable;
  if (socket_dropped && other.socket_dropped)
    *socket_dropped += *other.socket_dropped;
  else
    socket_dropped.reset();
  return *this;
}

RelayLane::RelayLane(const std::string& name, Ends ends, const Impairment& impairment, std::uint64_t seed,
                     std::size_t slots, Bottleneck* shared_link)
    : ends_(std::move(ends)),
      receiver_(*ends_.in),
      sender_(*ends_.out),
      path_(impairment, seed, shared_link),
      store_(slots),
      room_(DatagramReceiver::batch_max * DatagramReceiver::run_bytes_max),
      under_way_(Later{}, room_for<Packet>(slots)),
      held_(room_for<Held>(slots)),
      run_(room_for<Packet>(DatagramSender::run_packets_max)) {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    pieces_[i] = {room_.data() + i * DatagramReceiver::run_bytes_max, DatagramReceiver::run_bytes_max};
    targets_[i] = {&pieces_[i], 1};
  }
  wanted_.publish(impairment);
  published_.publish(counted_);
  thread_ = start_thread(name, -1, [this](const std::stop_token& stop) { run(stop); });
}

RelayLane::~RelayLane() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void RelayLane::run(const std::stop_token& stop) {
  LocalTime next_publish{};
  while (!stop.stop_requested()) {
    auto now = LocalClock::now();
    if (now >= next_publish) {
      path_.change(wanted_.read());
      count_socket_drops();
      published_.publish(counted_);
      next_publish = now + publish_interval;
    }
    const bool busy = send_due(now);
    if (wait_for_packets(now, busy)) receive();
    if (!held_.empty()) release_held(false, LocalClock::now());
  }
}

// True if there are some. `busy`: more must be sent at once.
bool RelayLane::wait_for_packets(LocalTime now, bool busy) const {
  Nanoseconds wait = busy ? Nanoseconds{0} : Nanoseconds{lane_waits_max};
  if (!under_way_.empty()) wait = std::clamp<Nanoseconds>(under_way_.top().departure - now, Nanoseconds{0}, wait);
  const timespec timeout{0, static_cast<long>(wait.count())};
  pollfd ready{ends_.in->fd(), POLLIN, 0};
  return ppoll(&ready, 1, &timeout, nullptr) > 0;
}

void RelayLane::receive() {
  const auto runs = receiver_.receive(targets_);
  // Packets have waited in the socket, which is part of their delay. The kernel's time is from another clock.
  const auto offset = LocalClock::now().time_since_epoch() - WallClock::now().time_since_epoch();
  for (std::size_t message = 0; message < runs.size(); ++message) {
    const auto& run = runs[message];
    if (ends_.on_source) ends_.on_source(run.source);
    const LocalTime arrival{run.arrival.time_since_epoch() + offset};
    const auto* at = static_cast<const std::byte*>(pieces_[message].iov_base);
    for (std::size_t i = 0; i < run.datagrams(); at += run.bytes_of(i), ++i) take(at, run.bytes_of(i), arrival);
  }
}

void RelayLane::take(const std::byte* bytes, std::size_t count, LocalTime arrival) {
  ++counted_.received;
  if (count > PacketStore::slot_bytes) {
    ++counted_.oversized;
    return;
  }
  const auto fate = path_.take(count, arrival);
  if (fate.kind != Fate::Kind::passes) {
    ++(fate.kind == Fate::Kind::lost ? counted_.lost : counted_.queue_full);
    return;
  }
  const auto packet = keep(bytes, count, fate, arrival);
  if (!packet) {
    ++counted_.no_room;
    return;
  }
  std::optional<Packet> copy;
  if (fate.twice) copy = keep(bytes, count, fate, arrival);
  if (copy) ++counted_.duplicated;
  if (fate.overtaken_by == 0) send_on(*packet);
  if (copy) send_on(*copy);
  if (!held_.empty()) release_held(true, arrival);
  if (fate.overtaken_by > 0) {
    ++counted_.reordered;
    held_.push_back({*packet, fate.overtaken_by, packet->departure + held_max});
  }
}

void RelayLane::send_on(const Packet& packet) {
  newest_departure_ = std::max(newest_departure_, packet.departure);
  under_way_.push(packet);
}

std::optional<RelayLane::Packet> RelayLane::keep(const std::byte* bytes, std::size_t count, const Fate& fate,
                                                 LocalTime arrival) {
  const auto slot = store_.take();
  if (!slot) return {};
  std::memcpy(store_.at(*slot), bytes, count);
  if (fate.flipped_bit) {
    const auto bit = *fate.flipped_bit;
    store_.at(*slot)[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    ++counted_.corrupted;
  }
  return Packet{arrival, fate.departure, number_++, *slot, static_cast<std::uint32_t>(count)};
}

void RelayLane::release_held(bool one_more_came, LocalTime now) {
  for (auto held = held_.begin(); held != held_.end();) {
    if (one_more_came && held->overtaken_by > 0) --held->overtaken_by;
    if (held->overtaken_by > 0 && now < held->until) {
      ++held;
      continue;
    }
    // After those that came meanwhile. Holding a packet back does not count as late.
    held->packet.departure = std::max({held->packet.departure, newest_departure_, now});
    held->packet.number = number_++;
    send_on(held->packet);
    held = held_.erase(held);
  }
}

bool RelayLane::send_due(LocalTime now) {
  collect_due(now);
  if (run_.empty()) return false;
  if (!ends_.target)
    send_connected();
  else if (const auto target = ends_.target())
    send_to(*target);
  else
    counted_.unsendable += run_.size();
  for (const auto& packet : run_) store_.give_back(packet.slot);
  return true;
}

// Packets of one length, followed by a shorter one, go with one call.
void RelayLane::collect_due(LocalTime now) {
  run_.clear();
  std::size_t bytes = 0;
  while (!under_way_.empty() && under_way_.top().departure <= now && run_.size() < DatagramSender::run_packets_max) {
    const auto& packet = under_way_.top();
    if (!run_.empty() && (packet.bytes > run_.front().bytes || run_.back().bytes < run_.front().bytes)) break;
    if (bytes + packet.bytes > DatagramSender::run_bytes_max) break;
    bytes += packet.bytes;
    run_.push_back(packet);
    under_way_.pop();
  }
}

void RelayLane::send_connected() {
  if (datagram_bytes_ != run_.front().bytes) sender_.set_datagram_bytes(datagram_bytes_ = run_.front().bytes);
  std::array<DatagramPieces, DatagramSender::run_packets_max> datagrams;
  for (std::size_t i = 0; i < run_.size(); ++i) datagrams[i] = {{{store_.at(run_[i].slot), run_[i].bytes}, {}, {}}, 1};
  const auto sent = sender_.send(std::span(datagrams).first(run_.size()));
  counted_.unsendable += run_.size() - sent;
  const auto now = LocalClock::now();
  for (std::size_t i = 0; i < sent; ++i) count_sent(run_[i], now);
}

void RelayLane::send_to(const Address& target) {
  for (const auto& packet : run_) {
    const auto sent =
        sendto(ends_.out->fd(), store_.at(packet.slot), packet.bytes, MSG_DONTWAIT, target.raw(), target.raw_bytes());
    if (sent < 0)
      ++counted_.unsendable;
    else
      count_sent(packet, LocalClock::now());
  }
}

void RelayLane::count_sent(const Packet& packet, LocalTime now) {
  ++counted_.forwarded;
  counted_.bytes += packet.bytes;
  delays_.add(now - packet.arrival);
  late_.add(now - packet.departure);
}

void RelayLane::count_socket_drops() {
  const auto drops = socket_drops(ends_.in->fd());
  if (!drops) {
    counted_.socket_dropped.reset();
    return;
  }
  if (counted_.socket_dropped) *counted_.socket_dropped += *drops - drops_seen_;  // modulo 2^32, like the counter
  drops_seen_ = *drops;
}

}  // namespace lw
