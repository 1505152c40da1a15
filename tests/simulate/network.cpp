#include "tests/simulate/network.h"

#include "common/pixel/pixel_format.h"
#include "common/wire/sound_packet.h"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

namespace lw::simulate {
namespace {

constexpr std::size_t header_bytes = 40;  // of a packet; in all of ours a check covers it
constexpr Nanoseconds bottleneck_queue = std::chrono::milliseconds{50};
constexpr unsigned unsegmented_most = 3000;  // sends, resends among them, before segments are tried again

// What a message says about its segments.
std::optional<std::size_t> segment_of(const msghdr& message) {
  auto& header = const_cast<msghdr&>(message);
  for (auto* entry = CMSG_FIRSTHDR(&header); entry != nullptr; entry = CMSG_NXTHDR(&header, entry)) {
    if (entry->cmsg_level != IPPROTO_UDP || entry->cmsg_type != UDP_SEGMENT) continue;
    std::uint16_t bytes = 0;
    std::memcpy(&bytes, CMSG_DATA(entry), sizeof(bytes));
    return bytes;
  }
  return std::nullopt;
}

}  // namespace

SimPort::SimPort(Network& network, Host& host, Address local, std::optional<Address> peer, bool coalesces)
    : StandInSocket(network.timeline(), coalesces),
      network_(network),
      host_(host),
      local_(local),
      peer_(peer),
      card_(network.timeline(), [&network](const std::string& law) { network.breaks(law); }),
      reads_after_(local.port()),
      descriptor_(host.open(*this)) {
  network_.add(local_, *this);
}

SimPort::~SimPort() {
  network_.remove(local_, *this);
  if (second_) network_.remove(*second_, *this);
  host_.close(descriptor_);
}

void SimPort::listen_at(const Address& second) {
  second_ = second;
  network_.add(second, *this);
}

ssize_t SimPort::send(const msghdr& message, int flags) {
  auto bytes = truth::gathered(message);
  const auto segment = segment_of(message).value_or(segment_);
  if (segment > 0 && network_.refuses_segments(local_, *peer_)) {
    errno = EIO;
    return -1;
  }
  if (segment > 0) unsegmented_ = 0;
  if ((flags & MSG_ZEROCOPY) != 0) card_.take(message, std::chrono::microseconds{reads_after_.between(20, 3000)});
  const auto sent = static_cast<ssize_t>(bytes.size());
  send_cut(std::move(bytes), segment);
  return sent;
}

int SimPort::send(std::span<mmsghdr> messages) {
  int sent = 0;
  for (const auto& message : messages) {
    if (send(message.msg_hdr, 0) < 0) break;
    ++sent;
  }
  if (has_segmented_ && segment_ == 0 && !network_.refuses_segments(local_, *peer_) &&
      ++unsegmented_ > unsegmented_most)
    network_.breaks("a path that accepts segments again gets none");
  return sent > 0 ? sent : -1;
}

void SimPort::send_cut(std::vector<std::byte> bytes, std::size_t segment) {
  if (segment == 0 || bytes.size() <= segment) return network_.carry(local_, *peer_, std::move(bytes));
  for (std::size_t at = 0; at < bytes.size(); at += segment) {
    const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto length = static_cast<std::ptrdiff_t>(std::min(segment, bytes.size() - at));
    network_.carry(local_, *peer_, {from, from + length});
  }
}

bool SimPort::set(int level, int option, const void* value, socklen_t /*bytes*/) {
  if (level == SOL_SOCKET && option == SO_ZEROCOPY) return true;
  if (level != IPPROTO_UDP || option != UDP_SEGMENT) return false;
  int bytes = 0;
  std::memcpy(&bytes, value, sizeof(bytes));
  segment_ = static_cast<std::size_t>(bytes);
  has_segmented_ = has_segmented_ || segment_ > 0;
  return true;
}

void SimPort::send_to(const Address& peer, std::span<const std::byte> datagram) {
  network_.carry(local_, peer, {datagram.begin(), datagram.end()});
}

void SimPort::tell(std::span<const std::byte> datagram) { send_to(*peer_, datagram); }

void SimPort::take(std::span<const std::byte> datagram, const Address& source) {
  if (peer_ && !(*peer_ == source)) return;  // connected: the kernel keeps others out
  if (queued_bytes_ + datagram.size() > buffer_bytes) return drop();
  queued_bytes_ += datagram.size();
  arrive(datagram, source, true);
  host_.arrived(descriptor_);
}

std::uint32_t Network::host_of(const Address& address) {
  std::uint32_t host = 0;
  for (const auto byte : address.host_bytes().first(4)) host = host << 8U | std::to_integer<std::uint32_t>(byte);
  return host;
}

std::size_t Network::link_between(std::uint32_t from, std::uint32_t to) const {
  const auto a = link_of_.find(from);
  const auto b = link_of_.find(to);
  return std::max(a == link_of_.end() ? 0 : a->second, b == link_of_.end() ? 0 : b->second);
}

bool Network::is_sound(std::span<const std::byte> datagram) {
  const auto type = datagram.size() > 1 ? std::to_integer<unsigned>(datagram[1]) & 0x7fU : 0;
  return type >= sound_payload_type(1) && type <= sound_payload_type(sound_channels_max);
}

void Network::note_format(const Address& to, std::span<const std::byte> datagram) {
  if (to.port() % 2 != 0 || datagram.size() < 2) return;
  const auto format = pixel_format_of_payload_type(std::to_integer<std::uint8_t>(datagram[1] & std::byte{0x7f}));
  if (!format) return;
  const bool varies = info(*format).varies_in_length();
  const auto [known, is_new] = varies_.try_emplace(key_of(to), varies);
  changes_of_length_ += !is_new && known->second != varies;
  known->second = varies;
}

void Network::carry(const Address& from, const Address& to, std::vector<std::byte> datagram) {
  const auto& link = links[link_between(host_of(from), host_of(to))];
  ++carried_;
  note_format(to, datagram);
  auto& way = ways_[std::uint64_t{host_of(from)} << 32U | host_of(to)];
  if (link.burst == 0) way.burst_left = 0;  // a burst ends with the fault that began it
  if (way.burst_left == 0 && chance(link.burst)) way.burst_left = static_cast<unsigned>(random_.between(2, 40));
  const bool in_burst = way.burst_left > 0;
  if (in_burst) --way.burst_left;
  const bool changed = chance(link.changed);
  // The kernel detects changed packets of RTCP and sound, which have no check inside.
  const bool has_check = to.port() % 2 == 0 && !is_sound(datagram);
  if (link.cut || in_burst || chance(link.loss) || (changed && !has_check)) {
    ++lost_;
    return;
  }
  auto delay = link.delay;
  if (link.jitter > Nanoseconds{0})
    delay += Nanoseconds{static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(link.jitter.count())))};
  const auto now = timeline_.now().wall;
  auto& free_at = way.free_at;
  if (link.bytes_per_s > 0) {
    const Nanoseconds takes{static_cast<std::int64_t>(1e9 * static_cast<double>(datagram.size()) / link.bytes_per_s)};
    free_at = std::max(free_at, now) + takes;
    if (free_at - now > bottleneck_queue) {
      ++lost_;
      free_at -= takes;
      return;
    }
    delay += free_at - now;
  } else if (!chance(link.reordered)) {
    free_at = std::max(free_at, now + delay);  // one after the other
    delay = free_at - now;
  } else {
    delay += std::chrono::microseconds{random_.below(8000)};
  }
  if (changed) {
    const auto at = random_.below(std::min(header_bytes, datagram.size()));
    datagram[at] ^= static_cast<std::byte>(1U << random_.below(8));
  }
  if (chance(link.doubled)) deliver(from, to, datagram, delay + std::chrono::microseconds{random_.below(3000)});
  deliver(from, to, std::move(datagram), delay);
}

void Network::deliver(const Address& from, const Address& to, std::vector<std::byte> datagram, Nanoseconds delay) {
  timeline_.at(timeline_.now().wall + delay, [this, from, to, datagram = std::move(datagram)] {
    const auto found = ports_.find(key_of(to));
    if (found != ports_.end()) found->second->take(datagram, from);
  });
}

}  // namespace lw::simulate
