#include "common/net/datagram_receiver.h"

#include <netinet/udp.h>

#include <array>
#include <cstring>
#include <ctime>

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

namespace lw {

// Room for the three ancillary messages: segment size, timestamp, drop counter.
struct DatagramReceiver::Control {
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(timespec)) +
                                             CMSG_SPACE(sizeof(std::uint32_t))> bytes;
};

DatagramReceiver::DatagramReceiver(const UdpSocket& socket)
    : fd_(socket.fd()),
      buffers_(std::make_unique_for_overwrite<std::byte[]>(batch * buffer_bytes)),
      controls_(std::make_unique<Control[]>(batch)),
      sources_(batch),
      pieces_(batch),
      messages_(batch),
      runs_(batch) {
  const int on = 1;
  setsockopt(fd_, IPPROTO_UDP, UDP_GRO, &on,
             sizeof(on));  // without it every message is one datagram: slower, not wrong
  setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
  counts_drops_ = setsockopt(fd_, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof(on)) == 0;
  for (unsigned i = 0; i < batch; ++i) {
    pieces_[i] = {buffers_.get() + i * buffer_bytes, buffer_bytes};
    messages_[i].msg_hdr = {};
    messages_[i].msg_hdr.msg_name = &sources_[i];
    messages_[i].msg_hdr.msg_iov = &pieces_[i];
    messages_[i].msg_hdr.msg_iovlen = 1;
    messages_[i].msg_hdr.msg_control = controls_[i].bytes.data();
  }
}

DatagramReceiver::~DatagramReceiver() = default;

std::span<const ReceivedRun> DatagramReceiver::receive() {
  for (auto& message : messages_) {
    message.msg_hdr.msg_namelen = sizeof(sockaddr_storage);
    message.msg_hdr.msg_controllen = sizeof(Control);
  }
  ++calls_;
  const int count = recvmmsg(fd_, messages_.data(), batch, MSG_WAITFORONE, nullptr);
  if (count <= 0) return {};
  for (int i = 0; i < count; ++i) {
    auto& run = runs_[static_cast<std::size_t>(i)];
    auto& message = messages_[static_cast<std::size_t>(i)];
    run.bytes = {static_cast<const std::byte*>(message.msg_hdr.msg_iov->iov_base), message.msg_len};
    run.datagram_bytes = message.msg_len;
    run.arrival = WallTime{};
    run.source = Address::from(sources_[static_cast<std::size_t>(i)]);
    read_control(message.msg_hdr, run);
    if (run.arrival == WallTime{}) run.arrival = WallClock::now();
  }
  return {runs_.data(), static_cast<std::size_t>(count)};
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
      run.arrival = WallTime{std::chrono::seconds{time.tv_sec} + Nanoseconds{time.tv_nsec}};
    } else if (entry->cmsg_level == SOL_SOCKET && entry->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t drops = 0;
      std::memcpy(&drops, CMSG_DATA(entry), sizeof(drops));
      drops_ += drops - drops_seen_;
      drops_seen_ = drops;
    }
  }
}

}  // namespace lw
