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

// What the kernel says of an arrival is on the system's clock. Where that was set just now, and the wall's clock does
// not know it yet, it is no time that a packet can have come: not after it was received, nor so long before.
constexpr std::chrono::milliseconds ahead_max{1};
constexpr std::chrono::seconds behind_max{2};

}  // namespace

// Room for the three ancillary messages: segment size, timestamp, drop counter.
struct DatagramReceiver::Control {
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(timespec)) +
                                             CMSG_SPACE(sizeof(std::uint32_t))> bytes;
};

DatagramReceiver::DatagramReceiver(const UdpSocket& socket, const Options& options)
    : fd_(socket.fd()),
      busy_poll_(options.busy_poll),
      controls_(std::make_unique<Control[]>(batch_max)),
      sources_(batch_max),
      messages_(batch_max),
      runs_(batch_max) {
  const int on = 1;
  setsockopt(fd_, IPPROTO_UDP, UDP_GRO, &on,
             sizeof(on));  // without it every message is one datagram: slower, not wrong
  if (options.kernel_times) setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
  if (busy_poll_ > busy_poll_.zero()) {
    const int us = static_cast<int>(busy_poll_.count());
    setsockopt(fd_, SOL_SOCKET, SO_BUSY_POLL, &us, sizeof(us));  // refused: only our own loop polls
  }
  counts_drops_ = setsockopt(fd_, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof(on)) == 0;
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
  if (count <= 0) return {};
  const auto now = WallClock::now();
  for (int i = 0; i < count; ++i) {
    auto& run = runs_[static_cast<std::size_t>(i)];
    auto& message = messages_[static_cast<std::size_t>(i)];
    run.bytes = run.datagram_bytes = message.msg_len;
    run.arrival = WallTime{};
    run.dropped_before = 0;
    run.source = Address::from(sources_[static_cast<std::size_t>(i)]);
    read_control(message.msg_hdr, run);
    if (run.arrival > now + ahead_max || run.arrival < now - behind_max) run.arrival = now;
  }
  return {runs_.data(), static_cast<std::size_t>(count)};
}

int DatagramReceiver::wait_for_messages(unsigned wanted) {
  if (busy_poll_ > busy_poll_.zero()) {
    const auto until = LocalClock::now() + busy_poll_;
    do {
      ++calls_;
      const int count = recvmmsg(fd_, messages_.data(), wanted, MSG_DONTWAIT, nullptr);
      if (count > 0) return count;
    } while (LocalClock::now() < until);
  }
  ++calls_;
  return recvmmsg(fd_, messages_.data(), wanted, MSG_WAITFORONE, nullptr);
}

void DatagramReceiver::read_control(msghdr& message, ReceivedRun& run) {
  for (cmsghdr* entry = CMSG_FIRSTHDR(&message); entry != nullptr; entry = CMSG_NXTHDR(&message, entry)) {
    if (entry->cmsg_level == IPPROTO_UDP && entry->cmsg_type == UDP_GRO) {
      int segment = 0;
      std::memcpy(&segment, CMSG_DATA(entry), sizeof(segment));
      if (segment > 0) run.datagram_bytes = static_cast<std::size_t>(segment);
    } else if (entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SO_TIMESTAMPNS) {
      timespec time{};
      std::memcpy(&time, CMSG_DATA(entry), sizeof(time));
      run.arrival = to_wall(SystemTime{from_timespec(time)});
    } else if (entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t drops = 0;
      std::memcpy(&drops, CMSG_DATA(entry), sizeof(drops));
      run.dropped_before = drops - drops_seen_;
      drops_seen_ = drops;
    }
  }
}

}  // namespace lw
