#include "probe/stamp/stamp_socket.h"

#include "common/base/timespec.h"
#include "common/clock/wall_clock.h"

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace lw {
namespace {

// Finds a control message of this type whose data are a T or begin with one.
template <class T>
std::optional<T> control_value(const cmsghdr& entry) {
  if (entry.cmsg_len < CMSG_LEN(sizeof(T))) return {};
  T value;
  std::memcpy(&value, CMSG_DATA(&entry), sizeof(value));
  return value;
}

// Time, TTL, traffic class, address; more room than any kernel needs.
struct ReceivedControl {
  alignas(cmsghdr) std::array<std::byte, 256> bytes;
};

void read_ip(const cmsghdr& entry, StampDatagram& to) {
  if (entry.cmsg_type == IP_TTL) {
    to.arrival.ttl = static_cast<std::uint8_t>(control_value<int>(entry).value_or(0));
  } else if (entry.cmsg_type == IP_TOS) {
    to.arrival.traffic_class = control_value<std::uint8_t>(entry).value_or(0);
  } else if (entry.cmsg_type == IP_PKTINFO) {
    if (const auto info = control_value<in_pktinfo>(entry)) to.to = *info;
  }
}

void read_ipv6(const cmsghdr& entry, StampDatagram& to) {
  if (entry.cmsg_type == IPV6_HOPLIMIT) {
    to.arrival.ttl = static_cast<std::uint8_t>(control_value<int>(entry).value_or(0));
  } else if (entry.cmsg_type == IPV6_TCLASS) {
    to.arrival.traffic_class = static_cast<std::uint8_t>(control_value<int>(entry).value_or(0));
  } else if (entry.cmsg_type == IPV6_PKTINFO) {
    if (const auto info = control_value<in6_pktinfo>(entry)) to.to = *info;
  }
}

// Reads both clocks' times of one packet.
struct Stamps {
  std::optional<WallTime> kernel, card;
};
Stamps read_stamps(const cmsghdr& entry, const CardClock& card) {
  const auto stamps = control_value<scm_timestamping>(entry);
  if (!stamps) return {};
  const auto kernel = from_timespec(stamps->ts[0]), by_card = from_timespec(stamps->ts[2]);
  Stamps times;
  if (kernel > kernel.zero()) times.kernel = to_wall(SystemTime{kernel});
  if (by_card > by_card.zero()) times.card = to_wall(card.lines().read().system_time(by_card));
  return times;
}

// Appends to the control data of a message to be sent.
class SentControl {
public:
  explicit SentControl(msghdr& message) : message_(message) {
    message_.msg_control = bytes_.data();
    message_.msg_controllen = 0;
  }
  template <class T>
  void add(int level, int type, const T& value) {
    auto* entry = reinterpret_cast<cmsghdr*>(bytes_.data() + message_.msg_controllen);
    entry->cmsg_level = level;
    entry->cmsg_type = type;
    entry->cmsg_len = CMSG_LEN(sizeof(T));
    std::memcpy(CMSG_DATA(entry), &value, sizeof(T));
    message_.msg_controllen += CMSG_SPACE(sizeof(T));
  }

private:
  msghdr& message_;
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(in6_pktinfo))> bytes_{};
};

bool send_packet(int fd, std::span<const std::byte> packet, const StampDatagram* to, bool ipv6,
                 std::uint8_t traffic_class) {
  iovec piece{const_cast<std::byte*>(packet.data()), packet.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  SentControl control(message);
  control.add(ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, ipv6 ? IPV6_TCLASS : IP_TOS, static_cast<int>(traffic_class));
  if (to != nullptr) {
    message.msg_name = const_cast<sockaddr*>(to->from.raw());
    message.msg_namelen = to->from.raw_bytes();
    if (const auto* v4 = std::get_if<in_pktinfo>(&to->to))
      control.add(IPPROTO_IP, IP_PKTINFO, in_pktinfo{0, v4->ipi_addr, {}});
    if (const auto* v6 = std::get_if<in6_pktinfo>(&to->to)) control.add(IPPROTO_IPV6, IPV6_PKTINFO, *v6);
  }
  return sendmsg(fd, &message, MSG_DONTWAIT) == static_cast<ssize_t>(packet.size());
}

}  // namespace

Result<StampSocket> StampSocket::open(const Address& local) {
  auto socket = UdpSocket::bind(local);
  if (!socket) return Error{socket.error().what, "choose another port, or let the program bind it (root)"};
  socket->stamp_arrivals();
  const bool ipv6 = local.is_ipv6();
  const auto set = [&](int option4, int option6, int value) {
    setsockopt(socket->fd(), ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, ipv6 ? option6 : option4, &value, sizeof(value));
  };
  set(IP_RECVTTL, IPV6_RECVHOPLIMIT, 1);
  set(IP_RECVTOS, IPV6_RECVTCLASS, 1);
  set(IP_PKTINFO, IPV6_RECVPKTINFO, 1);
  set(IP_TTL, IPV6_UNICAST_HOPS, sent_ttl);
  return StampSocket(std::move(*socket), ipv6);
}

Result<void> StampSocket::use_card(bool sends) {
  auto card = CardClock::open(local_address(), sends);
  if (!card) return card.error();
  // One of both: with both on, the kernel invents a stamp for packets that have none.
  const int off = 0;
  setsockopt(socket_.fd(), SOL_SOCKET, SO_TIMESTAMPNS, &off, sizeof(off));
  const int flags = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
                    SOF_TIMESTAMPING_SOFTWARE |
                    (sends ? SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY : 0);
  if (setsockopt(socket_.fd(), SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof(flags)) != 0)
    return Error{"the kernel does not report hardware time stamps", "use its own"};
  card_ = std::move(*card);
  return {};
}

// In the socket's queue of errors.
std::optional<StampDeparture> StampSocket::next_departure() const {
  if (!card_) return {};
  ReceivedControl control;
  msghdr message{};
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  if (recvmsg(socket_.fd(), &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return {};
  std::optional<WallTime> time;
  std::optional<std::uint32_t> packet;
  for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr; entry = CMSG_NXTHDR(&message, entry)) {
    if (entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SO_TIMESTAMPING) time = read_stamps(*entry, *card_).card;
    const bool v4 = entry->cmsg_level == IPPROTO_IP && entry->cmsg_type == IP_RECVERR;
    const bool v6 = entry->cmsg_level == IPPROTO_IPV6 && entry->cmsg_type == IPV6_RECVERR;
    if (!v4 && !v6) continue;
    if (const auto notice = control_value<sock_extended_err>(*entry);
        notice && notice->ee_origin == SO_EE_ORIGIN_TIMESTAMPING)
      packet = notice->ee_data;
  }
  return time && packet ? std::optional(StampDeparture{*packet, *time}) : std::nullopt;
}

std::optional<StampDatagram> StampSocket::receive(std::span<std::byte> buffer, Nanoseconds wait) {
  pollfd waited{socket_.fd(), POLLIN, 0};
  const auto time = to_timespec(std::max(wait, Nanoseconds{0}));
  if (ppoll(&waited, 1, &time, nullptr) <= 0) return {};
  sockaddr_storage from{};
  iovec piece{buffer.data(), buffer.size()};
  ReceivedControl control;
  msghdr message{};
  message.msg_name = &from;
  message.msg_namelen = sizeof(from);
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  const auto bytes = recvmsg(socket_.fd(), &message, MSG_DONTWAIT);
  const auto now = WallClock::now();
  was_refused_ = was_refused_ || (bytes < 0 && errno == ECONNREFUSED);
  if (bytes < 0 || (message.msg_flags & MSG_TRUNC) != 0) return {};
  StampDatagram datagram{static_cast<std::size_t>(bytes), Address::from(from), {}, {now, 0, 0, false}, {}};
  for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr; entry = CMSG_NXTHDR(&message, entry)) {
    if (entry->cmsg_level == IPPROTO_IP) read_ip(*entry, datagram);
    if (entry->cmsg_level == IPPROTO_IPV6) read_ipv6(*entry, datagram);
    if (entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SO_TIMESTAMPNS)
      if (const auto arrived = control_value<timespec>(*entry))
        datagram.arrival.time = to_wall(SystemTime{from_timespec(*arrived)});
    if (card_ && entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SO_TIMESTAMPING) {
      const auto stamps = read_stamps(*entry, *card_);
      datagram.arrival.time = stamps.kernel.value_or(now);
      datagram.card_arrival = stamps.card;
    }
  }
  return datagram;
}

bool StampSocket::send(std::span<const std::byte> packet, std::uint8_t traffic_class) {
  const bool sent = send_packet(socket_.fd(), packet, nullptr, ipv6_, traffic_class);
  was_refused_ = was_refused_ || (!sent && errno == ECONNREFUSED);
  return sent;
}

bool StampSocket::reply(std::span<const std::byte> packet, const StampDatagram& to, std::uint8_t traffic_class) const {
  return send_packet(socket_.fd(), packet, &to, ipv6_, traffic_class);
}

}  // namespace lw
