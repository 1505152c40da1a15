#include "tests/support/stand_in_socket.h"

#include "common/base/timespec.h"
#include "common/net/datagram_receiver.h"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#ifndef UDP_GRO
#define UDP_GRO 104
#endif
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

namespace lw::truth {
namespace {

constexpr std::chrono::milliseconds receive_timeout{4};
constexpr std::size_t datagrams_of_message_max = 64;
constexpr std::size_t message_bytes_max = 65'507;

// After the control messages that are already there.
template <class Value>
void add_control(msghdr& header, std::size_t room, int level, int type, const Value& value) {
  if (header.msg_controllen + CMSG_SPACE(sizeof(Value)) > room) {
    header.msg_flags |= MSG_CTRUNC;
    return;
  }
  auto* entry = reinterpret_cast<cmsghdr*>(static_cast<std::byte*>(header.msg_control) + header.msg_controllen);
  entry->cmsg_level = level;
  entry->cmsg_type = type;
  entry->cmsg_len = CMSG_LEN(sizeof(Value));
  std::memcpy(CMSG_DATA(entry), &value, sizeof(Value));
  header.msg_controllen += CMSG_SPACE(sizeof(Value));
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "truth_test: %s\n", what);
  std::exit(1);
}

}  // namespace

std::vector<std::byte> gathered(const msghdr& message) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < message.msg_iovlen; ++i) {
    const auto* from = static_cast<const std::byte*>(message.msg_iov[i].iov_base);
    bytes.insert(bytes.end(), from, from + message.msg_iov[i].iov_len);
  }
  return bytes;
}

void StandInSocket::arrive(std::span<const std::byte> datagram, const Address& source, bool follows) {
  const auto now = timeline_.now().wall;
  if (coalesces_ && follows && !queue_.empty()) {
    auto& last = queue_.back();
    const bool ended = last.datagram_bytes == 0 || last.bytes.size() % last.datagram_bytes != 0;
    if (!ended && last.source == source && last.arrival == now && last.drops == drops_ &&
        datagram.size() <= last.datagram_bytes && last.datagrams < datagrams_of_message_max &&
        last.bytes.size() + datagram.size() <= message_bytes_max) {
      last.bytes.insert(last.bytes.end(), datagram.begin(), datagram.end());
      ++last.datagrams;
      return;
    }
  }
  queue_.push_back({{datagram.begin(), datagram.end()}, datagram.size(), 1, now, source, drops_});
}

int StandInSocket::receive(std::span<mmsghdr> messages, int flags) {
  if ((flags & MSG_DONTWAIT) == 0)
    timeline_.run(timeline_.now().wall + receive_timeout, [&] { return !queue_.empty(); });
  int count = 0;
  for (auto& to : messages) {
    if (queue_.empty()) break;
    const auto room = to.msg_hdr.msg_controllen;
    to.msg_hdr.msg_controllen = 0;
    to.msg_hdr.msg_flags = 0;
    scatter(queue_.front(), to);
    const auto& message = queue_.front();
    // The wall's time, because the wall's clock of this process is the system clock, and to_wall() converts nothing.
    const auto arrival = wall_time(stamp(message.arrival));
    add_control(to.msg_hdr, room, SOL_SOCKET, SO_TIMESTAMPNS, to_timespec(arrival.time_since_epoch()));
    if (message.drops > 0) add_control(to.msg_hdr, room, SOL_SOCKET, SO_RXQ_OVFL, message.drops);
    require((to.msg_hdr.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0, "a message was cut: there was too little room");
    std::memcpy(to.msg_hdr.msg_name, message.source.raw(), message.source.raw_bytes());
    to.msg_hdr.msg_namelen = message.source.raw_bytes();
    queue_.pop_front();
    ++count;
  }
  return count == 0 ? -1 : count;
}

void StandInSocket::scatter(const Message& message, mmsghdr& to) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < to.msg_hdr.msg_iovlen && at < message.bytes.size(); ++i) {
    const auto& piece = to.msg_hdr.msg_iov[i];
    const auto bytes = std::min(piece.iov_len, message.bytes.size() - at);
    std::memcpy(piece.iov_base, message.bytes.data() + at, bytes);
    at += bytes;
  }
  to.msg_len = static_cast<unsigned>(at);
  if (at < message.bytes.size()) to.msg_hdr.msg_flags |= MSG_TRUNC;
  if (message.datagrams > 1)
    add_control(to.msg_hdr, CMSG_SPACE(sizeof(int)), IPPROTO_UDP, UDP_GRO, static_cast<int>(message.datagram_bytes));
}

std::optional<UdpSocket::Datagram> StandInSocket::receive_now(std::span<std::byte> buffer) {
  if (queue_.empty()) return std::nullopt;
  const auto& message = queue_.front();
  const auto stamped = stamp(message.arrival);
  UdpSocket::Datagram result{std::min(buffer.size(), message.bytes.size()), stamped, stamp(timeline_.now().wall),
                             wall_time(stamped), message.source};
  std::memcpy(buffer.data(), message.bytes.data(), result.bytes);
  queue_.pop_front();
  return result;
}

KernelSocket::KernelSocket(Timeline& timeline, bool coalesces) : StandInSocket(timeline, coalesces) {
  auto in = UdpSocket::bind(Address::parse("127.0.0.1", 0).value());
  auto out = UdpSocket::bind(Address::parse("127.0.0.1", 0).value());
  require(in.has_value() && out.has_value(), "no sockets on 127.0.0.1");
  in_ = std::move(*in);
  out_ = std::move(*out);
  require(out_.connect(in_.local_address()).has_value(), "no way to 127.0.0.1");
  DatagramReceiver::prepare(in_, {std::chrono::microseconds{0}, false});
}

void KernelSocket::scatter(const Message& message, mmsghdr& to) {
  iovec all{const_cast<std::byte*>(message.bytes.data()), message.bytes.size()};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(std::uint16_t))> control{};
  msghdr run{};
  run.msg_iov = &all;
  run.msg_iovlen = 1;
  if (message.datagrams > 1) {
    run.msg_control = control.data();
    add_control(run, control.size(), IPPROTO_UDP, UDP_SEGMENT, static_cast<std::uint16_t>(message.datagram_bytes));
  }
  require(sendmsg(out_.fd(), &run, 0) == static_cast<ssize_t>(message.bytes.size()), "the kernel does not send a run");
  msghdr& header = to.msg_hdr;
  header.msg_controllen = CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(std::uint32_t));
  const auto bytes = recvmsg(in_.fd(), &header, 0);
  require(bytes >= 0, "the kernel does not receive a run");
  to.msg_len = static_cast<unsigned>(bytes);
}

}  // namespace lw::truth
