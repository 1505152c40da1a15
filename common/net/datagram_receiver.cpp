#include "common/net/datagram_receiver.h"

#include "common/base/timespec.h"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/udp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

namespace lw {
namespace {

// The kernel stamps arrivals with the system clock. If that clock was just set and the wall's clock has not followed
// yet, the stamp is impossible: after the packet was received, or too long before.
constexpr std::chrono::milliseconds ahead_max{1};
constexpr std::chrono::seconds behind_max{2};
constexpr int both_stamps = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE |
                            SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;

template <class T>
T value_of(const cmsghdr& entry) {
  T value;
  std::memcpy(&value, CMSG_DATA(&entry), sizeof(value));
  return value;
}

}  // namespace

// Room for what prepare() asks the kernel for, and no more: segment size, arrival (a card's is longer), drop counter,
// and the traffic class, which is larger with IPv6.
struct DatagramReceiver::Control {
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(scm_timestamping)) +
                                             CMSG_SPACE(sizeof(std::uint32_t)) + CMSG_SPACE(sizeof(int))> bytes;
};

bool DatagramReceiver::prepare(const UdpSocket& socket, const Options& options) {
  const int on = 1;
  setsockopt(socket.fd(), IPPROTO_UDP, UDP_GRO, &on,
             sizeof(on));  // without it every message is one datagram: slower, but not wrong
  setsockopt(socket.fd(), IPPROTO_IP, IP_RECVTOS, &on, sizeof(on));
  setsockopt(socket.fd(), IPPROTO_IPV6, IPV6_RECVTCLASS, &on, sizeof(on));  // one of them is not of the socket's family
  // One of both: with both on, the kernel invents a stamp for packets that have none.
  if (options.kernel_times && options.card_times)
    setsockopt(socket.fd(), SOL_SOCKET, SO_TIMESTAMPING, &both_stamps, sizeof(both_stamps));
  else if (options.kernel_times)
    setsockopt(socket.fd(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
  if (options.busy_poll > options.busy_poll.zero()) {
    const int us = static_cast<int>(options.busy_poll.count());
    setsockopt(socket.fd(), SOL_SOCKET, SO_BUSY_POLL, &us, sizeof(us));  // if refused, only our own loop polls
  }
  return setsockopt(socket.fd(), SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof(on)) == 0;
}

DatagramReceiver::DatagramReceiver(const UdpSocket& socket, const Options& options)
    : DatagramReceiver(std::make_unique<SocketPort>(socket), options.busy_poll, prepare(socket, options)) {}

DatagramReceiver::DatagramReceiver(std::unique_ptr<DatagramPort> port, std::chrono::microseconds busy_poll,
                                   bool counts_drops)
    : DatagramReceiver(*port, busy_poll, counts_drops) {
  own_port_ = std::move(port);
}

DatagramReceiver::DatagramReceiver(DatagramPort& port, std::chrono::microseconds busy_poll, bool counts_drops,
                                   std::shared_ptr<const CardLines> card, unsigned batch)
    : port_(port),
      busy_poll_(busy_poll),
      counts_drops_(counts_drops),
      card_(std::move(card)),
      controls_(std::make_unique<Control[]>(batch)),
      sources_(batch),
      messages_(batch),
      runs_(batch) {
  for (unsigned i = 0; i < batch; ++i) {
    messages_[i].msg_hdr = {};
    messages_[i].msg_hdr.msg_name = &sources_[i];
    messages_[i].msg_hdr.msg_control = controls_[i].bytes.data();
  }
}

DatagramReceiver::~DatagramReceiver() = default;

std::span<const ReceivedRun> DatagramReceiver::receive(std::span<const std::span<iovec>> targets, bool waits) {
  const auto wanted = std::min(targets.size(), messages_.size());
  for (std::size_t i = 0; i < wanted; ++i) {
    auto& header = messages_[i].msg_hdr;
    header.msg_iov = targets[i].data();
    header.msg_iovlen = targets[i].size();
    header.msg_namelen = sizeof(sockaddr_storage);
    header.msg_controllen = sizeof(Control);
  }
  const int count = take_messages(static_cast<unsigned>(wanted), waits);
  returned_at_ = port_.now();
  if (count <= 0) return {};
  if (card_) line_ = card_->read();
  for (int i = 0; i < count; ++i) {
    auto& run = runs_[static_cast<std::size_t>(i)];
    auto& message = messages_[static_cast<std::size_t>(i)];
    run.bytes = run.datagram_bytes = message.msg_len;
    run.dropped_before = 0;
    run.traffic_class.reset();
    run.source = Address::from(sources_[static_cast<std::size_t>(i)]);
    set_arrival(read_control(message.msg_hdr, run), run);
  }
  return {runs_.data(), static_cast<std::size_t>(count)};
}

int DatagramReceiver::take_messages(unsigned wanted, bool waits) {
  const auto messages = std::span(messages_).first(wanted);
  if (waits && busy_poll_ > busy_poll_.zero()) {
    const auto until = port_.now().local + busy_poll_;
    do {
      ++calls_;
      const int count = port_.receive(messages, MSG_DONTWAIT);
      if (count > 0) return count;
    } while (port_.now().local < until);
  }
  ++calls_;
  return port_.receive(messages, waits ? MSG_WAITFORONE : MSG_DONTWAIT);
}

// The best stamp that is possible.
void DatagramReceiver::set_arrival(const Stamps& stamps, ReceivedRun& run) {
  const auto now = returned_at_.wall;
  run.by_card = false;
  run.arrival = now;
  for (const auto* stamp : {&stamps.card, &stamps.kernel}) {
    if (!*stamp) continue;
    const auto time = to_wall(**stamp);
    if (time > now + ahead_max || time < now - behind_max) continue;
    run.arrival = time;
    run.by_card = stamp == &stamps.card;
    break;
  }
  if (run.by_card) card_stamped_ += run.datagrams();
}

DatagramReceiver::Stamps DatagramReceiver::read_control(msghdr& message, ReceivedRun& run) {
  Stamps stamps;
  for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr; entry = CMSG_NXTHDR(&message, entry)) {
    const auto is = [&](int level, int type) { return entry->cmsg_level == level && entry->cmsg_type == type; };
    if (is(IPPROTO_UDP, UDP_GRO)) {
      const int segment = value_of<int>(*entry);
      if (segment > 0) run.datagram_bytes = static_cast<std::size_t>(segment);
    } else if (is(SOL_SOCKET, SO_TIMESTAMPNS)) {
      stamps.kernel = SystemTime{from_timespec(value_of<timespec>(*entry))};
    } else if (is(SOL_SOCKET, SO_TIMESTAMPING)) {
      const auto times = value_of<scm_timestamping>(*entry);
      const auto kernel = from_timespec(times.ts[0]), card = from_timespec(times.ts[2]);
      if (kernel > kernel.zero()) stamps.kernel = SystemTime{kernel};
      if (card > card.zero() && line_.known) stamps.card = line_.system_time(card);
    } else if (is(SOL_SOCKET, SO_RXQ_OVFL)) {
      const auto drops = value_of<std::uint32_t>(*entry);
      run.dropped_before = drops - drops_seen_;
      drops_seen_ = drops;
    } else if (is(IPPROTO_IP, IP_TOS)) {
      run.traffic_class = value_of<std::uint8_t>(*entry);
    } else if (is(IPPROTO_IPV6, IPV6_TCLASS)) {
      run.traffic_class = static_cast<std::uint8_t>(value_of<int>(*entry));
    }
  }
  return stamps;
}

}  // namespace lw
