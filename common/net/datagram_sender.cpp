#include "common/net/datagram_sender.h"

#include "common/base/cache_lines.h"

#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/udp.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

namespace lw {
namespace {

// A path that refused segmentation may accept it later (an MTU that grew again): it is retried after this many runs.
constexpr unsigned segment_again_after = 1024;
constexpr std::chrono::milliseconds etf_margin{1};  // longer than its `delta`, and than a packet takes to reach it

// ECONNREFUSED reports the fate of an earlier datagram, not of this one: try again at once.
bool worth_another_try(int error) { return error == ECONNREFUSED || error == EINTR; }

// Prefetches pixels that will be copied a little later.
void prefetch_behind(const iovec& pixels) {
  constexpr std::size_t ahead = 8192;
  prefetch_lines(static_cast<const std::byte*>(pixels.iov_base) + ahead, pixels.iov_len);
}

const void* end_of(const iovec& piece) { return static_cast<const std::byte*>(piece.iov_base) + piece.iov_len; }

// Whether the datagrams lie one behind the other, as the encrypted ones do: the kernel gathers them as one piece.
bool lies_together(std::span<const DatagramPieces> run) {
  const void* end = run.front().pieces[0].iov_base;
  for (const auto& datagram : run) {
    if (datagram.count != 1 || datagram.pieces[0].iov_base != end) return false;
    end = end_of(datagram.pieces[0]);
  }
  return true;
}

}  // namespace

std::size_t DatagramPieces::bytes() const {
  std::size_t sum = 0;
  for (unsigned i = 0; i < count; ++i) sum += pieces[i].iov_len;
  return sum;
}

DatagramSender::DatagramSender(const UdpSocket& socket, RunAssembly assembly)
    : DatagramSender(std::make_unique<SocketPort>(socket), assembly) {}

DatagramSender::DatagramSender(std::unique_ptr<DatagramPort> port, RunAssembly assembly)
    : DatagramSender(*port, assembly) {
  own_port_ = std::move(port);
}

DatagramSender::DatagramSender(DatagramPort& port, RunAssembly assembly)
    : port_(port),
      assembly_(assembly),
      zero_copy_(port),
      gathered_(run_packets_max * 3),
      run_(assembly == RunAssembly::kernel ? 0 : run_bytes_max + datagram_bytes_max),
      messages_(run_packets_max) {}

void DatagramSender::set_datagram_bytes(std::size_t bytes) {
  datagram_bytes_ = bytes;
  if (segmented_) segment(bytes);
}

void DatagramSender::segment(std::size_t bytes) {
  const int size = static_cast<int>(bytes);
  segmented_ = port_.set(IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size)) && bytes > 0;
  runs_unsegmented_ = 0;
}

unsigned DatagramSender::run_packets(unsigned wanted) const {
  assert(datagram_bytes_ > 0);
  auto fit = run_bytes_max / datagram_bytes_;
  if (wants_zero_copy_) fit = std::min(fit, zero_copy_datagrams_max_);
  return std::clamp(wanted, 1U, std::max(1U, static_cast<unsigned>(std::min<std::size_t>(fit, run_packets_max))));
}

bool DatagramSender::carry_departures(clockid_t clock) {
  const sock_txtime config{clock, 0};
  carries_departures_ = port_.set(SOL_SOCKET, SO_TXTIME, &config, sizeof(config));
  departure_margin_ = carries_departures_ && clock == CLOCK_TAI ? etf_margin : Nanoseconds{0};
  return carries_departures_;
}

unsigned DatagramSender::send(std::span<const DatagramPieces> run, Nanoseconds departure) {
  assert(run.size() <= run_packets_max);
  if (!segmented_ && ++runs_unsegmented_ == segment_again_after) segment(datagram_bytes_);
  if (segmented_) return send_segmented(run, departure);
  return send_one_by_one(run, departure);
}

void DatagramSender::stamp(msghdr& message, Nanoseconds departure) {
  if (!carries_departures_) return;
  message.msg_control = departure_;
  message.msg_controllen = sizeof(departure_);
  write_departure(CMSG_FIRSTHDR(&message), departure);
}

void DatagramSender::write_departure(cmsghdr* entry, Nanoseconds departure) const {
  entry->cmsg_level = SOL_SOCKET;
  entry->cmsg_type = SCM_TXTIME;
  entry->cmsg_len = CMSG_LEN(sizeof(std::uint64_t));
  const auto time = static_cast<std::uint64_t>((departure + departure_offset_).count());
  std::memcpy(CMSG_DATA(entry), &time, sizeof(time));
}

std::size_t DatagramSender::assemble(std::span<const DatagramPieces> run) {
  std::byte* to = run_.data();
  for (const auto& datagram : run) {
    if (datagram.count > 1) prefetch_behind(datagram.pieces[1]);  // headers and padding are in the cache
    for (unsigned i = 0; i < datagram.count; ++i) {
      std::memcpy(to, datagram.pieces[i].iov_base, datagram.pieces[i].iov_len);
      to += datagram.pieces[i].iov_len;
    }
  }
  gathered_[0] = {run_.data(), static_cast<std::size_t>(to - run_.data())};
  return 1;
}

std::size_t DatagramSender::gather(std::span<const DatagramPieces> run) {
  std::size_t count = 0;
  for (const auto& datagram : run) {
    for (unsigned i = 0; i < datagram.count; ++i) {
      const iovec& piece = datagram.pieces[i];
      // Adjacent pieces are merged: padding and the header after it.
      if (count > 0 && end_of(gathered_[count - 1]) == piece.iov_base)
        gathered_[count - 1].iov_len += piece.iov_len;
      else
        gathered_[count++] = piece;
    }
  }
  return count;
}

bool DatagramSender::set_zero_copy(bool on) {
  wants_zero_copy_ = on && zero_copy_.allow();
  return wants_zero_copy_ == on;
}

// The kernel copies runs that are assembled here: the next run is assembled in the same memory.
ssize_t DatagramSender::send_message(const msghdr& message, std::size_t datagrams, bool assembled) {
  if (!wants_zero_copy_ || assembled || datagrams > zero_copy_datagrams_max_ || !zero_copy_.may_send())
    return port_.send(message, 0);
  const ssize_t sent = port_.send(message, MSG_ZEROCOPY);
  if (sent >= 0) {
    zero_copy_.count_send();
    return sent;
  }
  // A packet in the kernel has room for some 17 pieces of memory (EMSGSIZE), and its completion notices count against
  // optmem_max (ENOBUFS): this run is copied, and the next ones are shorter.
  if (errno == EMSGSIZE) zero_copy_datagrams_max_ = std::max<std::size_t>(1, datagrams / 2);
  if (errno != EMSGSIZE && errno != ENOBUFS) return sent;
  ++calls_;
  return port_.send(message, 0);
}

unsigned DatagramSender::send_segmented(std::span<const DatagramPieces> run, Nanoseconds departure) {
  msghdr message{};
  stamp(message, departure);
  message.msg_iov = gathered_.data();
  const bool assembled = assembles_here() && !lies_together(run);
  message.msg_iovlen = assembled ? assemble(run) : gather(run);
  for (int attempt = 0; attempt < 3; ++attempt) {
    ++calls_;
    if (send_message(message, run.size(), assembled) >= 0) return static_cast<unsigned>(run.size());
    if (worth_another_try(errno)) continue;
    if (errno != EIO && errno != EINVAL && errno != EMSGSIZE) return 0;
    // The path refuses segmentation (no checksum offload, an MTU below the segment): for some time sends datagram by
    // datagram.
    segment(0);
    return send_one_by_one(run, departure);
  }
  return 0;
}

unsigned DatagramSender::send_one_by_one(std::span<const DatagramPieces> run, Nanoseconds departure) {
  for (std::size_t i = 0; i < run.size(); ++i) {
    messages_[i] = mmsghdr{};
    stamp(messages_[i].msg_hdr, departure);
    messages_[i].msg_hdr.msg_iov = const_cast<iovec*>(run[i].pieces);
    messages_[i].msg_hdr.msg_iovlen = run[i].count;
  }
  return send_messages(run.size());
}

unsigned DatagramSender::send_apart(std::span<const DatagramPieces> datagrams, Nanoseconds departure) {
  assert(datagrams.size() <= run_packets_max);
  constexpr std::size_t whole_bytes = CMSG_SPACE(sizeof(std::uint16_t)), time_bytes = CMSG_SPACE(sizeof(std::uint64_t));
  alignas(cmsghdr) std::array<std::byte, whole_bytes + time_bytes> control{};
  std::size_t used = 0;
  if (segmented_) {
    // The socket's segment size would split a larger datagram: these messages have none.
    auto* entry = reinterpret_cast<cmsghdr*>(control.data());
    entry->cmsg_level = IPPROTO_UDP;
    entry->cmsg_type = UDP_SEGMENT;
    entry->cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
    used = whole_bytes;
  }
  if (carries_departures_) {
    write_departure(reinterpret_cast<cmsghdr*>(control.data() + used), departure);
    used += time_bytes;
  }
  for (std::size_t i = 0; i < datagrams.size(); ++i) {
    messages_[i] = mmsghdr{};
    messages_[i].msg_hdr.msg_iov = const_cast<iovec*>(datagrams[i].pieces);
    messages_[i].msg_hdr.msg_iovlen = datagrams[i].count;
    if (used == 0) continue;
    messages_[i].msg_hdr.msg_control = control.data();
    messages_[i].msg_hdr.msg_controllen = used;
  }
  return send_messages(datagrams.size());
}

unsigned DatagramSender::send_messages(std::size_t count) {
  unsigned sent = 0;
  for (int attempt = 0; attempt < 3 && sent < count; ++attempt) {
    ++calls_;
    const int result = port_.send(std::span(messages_).subspan(sent, count - sent));
    if (result > 0) sent += static_cast<unsigned>(result);
    if (result < 0 && !worth_another_try(errno)) break;
  }
  return sent;
}

}  // namespace lw
