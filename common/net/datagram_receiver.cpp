#include "common/net/datagram_receiver.h"

#include "common/base/timespec.h"

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

template <class T>
T value_of(const cmsghdr& entry) {
  T value;
  std::memcpy(&value, CMSG_DATA(&entry), sizeof(value));
  return value;
}

}  // namespace

// Room for what prepare() asks the kernel for, and no more: segment size, arrival, drop counter, and the traffic class,
// which is larger with IPv6.
struct DatagramReceiver::Control {
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(timespec)) +
                                             CMSG_SPACE(sizeof(std::uint32_t)) + CMSG_SPACE(sizeof(int))> bytes;
};

bool DatagramReceiver::prepare(const UdpSocket& socket, const Options& options) {
  const int on = 1;
  setsockopt(socket.fd(), IPPROTO_UDP, UDP_GRO, &on,
             sizeof(on));  // without it every message is one datagram: slower, but not wrong
  setsockopt(socket.fd(), IPPROTO_IP, IP_RECVTOS, &on, sizeof(on));
  setsockopt(socket.fd(), IPPROTO_IPV6, IPV6_RECVTCLASS, &on, sizeof(on));  // one of them is not of the socket's family
  if (options.kernel_times) setsockopt(socket.fd(), SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
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
                                   bool waits)
    : port_(port),
      busy_poll_(busy_poll),
      counts_drops_(counts_drops),
      waits_(waits),
      controls_(std::make_unique<Control[]>(batch_max)),
      sources_(batch_max),
      messages_(batch_max),
      runs_(batch_max) {
  for (unsigned i = 0; i < batch_max; ++i) {
    messages_[i].msg_hdr = {};
    messages_[i].msg_hdr.msg_name = &sources_[i];
    messages_[i].msg_hdr.msg_control = controls_[i].bytes.data();
  }
}

DatagramReceiver::~DatagramReceiver() = default;

std::span<const ReceivedRun> DatagramReceiver::receive(std::span<const std::span<iovec>> targets) {
  const auto wanted = std::min<std::size_t>(targets.size(), batch_max);
  for (std::size_t i = 0; i < wanted; ++i) {
    auto& header = messages_[i].msg_hdr;
    header.msg_iov = targets[i].data();
    header.msg_iovlen = targets[i].size();
    header.msg_namelen = sizeof(sockaddr_storage);
    header.msg_controllen = sizeof(Control);
  }
  const int count = wait_for_messages(static_cast<unsigned>(wanted));
  returned_at_ = port_.now();
  if (count <= 0) return {};
  const auto now = returned_at_.wall;
  for (int i = 0; i < count; ++i) {
    auto& run = runs_[static_cast<std::size_t>(i)];
    auto& message = messages_[static_cast<std::size_t>(i)];
    run.bytes = run.datagram_bytes = message.msg_len;
    run.arrival = WallTime{};
    run.dropped_before = 0;
    run.traffic_class.reset();
    run.source = Address::from(sources_[static_cast<std::size_t>(i)]);
    read_control(message.msg_hdr, run);
    if (run.arrival > now + ahead_max || run.arrival < now - behind_max) run.arrival = now;
  }
  return {runs_.data(), static_cast<std::size_t>(count)};
}

int DatagramReceiver::wait_for_messages(unsigned wanted) {
  const auto messages = std::span(messages_).first(wanted);
  if (waits_ && busy_poll_ > busy_poll_.zero()) {
    const auto until = port_.now().local + busy_poll_;
    do {
      ++calls_;
      const int count = port_.receive(messages, MSG_DONTWAIT);
      if (count > 0) return count;
    } while (port_.now().local < until);
  }
  ++calls_;
  return port_.receive(messages, waits_ ? MSG_WAITFORONE : MSG_DONTWAIT);
}

void DatagramReceiver::read_control(msghdr& message, ReceivedRun& run) {
  for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr; entry = CMSG_NXTHDR(&message, entry)) {
    const auto is = [&](int level, int type) { return entry->cmsg_level == level && entry->cmsg_type == type; };
    if (is(IPPROTO_UDP, UDP_GRO)) {
      const int segment = value_of<int>(*entry);
      if (segment > 0) run.datagram_bytes = static_cast<std::size_t>(segment);
    } else if (is(SOL_SOCKET, SO_TIMESTAMPNS)) {
      run.arrival = to_wall(SystemTime{from_timespec(value_of<timespec>(*entry))});
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
}

}  // namespace lw
