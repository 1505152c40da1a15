#include "wall-client/sound/sound_receiver.h"

#include "common/net/source_filter.h"
#include "common/net/udp_socket.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lw {
namespace {

// Accepted by one step: a flood must not delay what is to be played.
constexpr int datagrams_max = 64;
constexpr std::size_t receive_buffer = std::size_t{512} << 10U;
// Sound that is played later than this would no longer belong to its frame.
constexpr std::chrono::milliseconds late_max{20};
// Without packets for so long, the stream has ended.
constexpr std::chrono::milliseconds silence_max{300};
constexpr std::int64_t spare_ms = 1000;  // beyond the playout delay
constexpr std::array<std::int32_t, static_cast<std::size_t>(sound_packet_samples) * sound_channels_max> silence{};

}  // namespace

Result<std::unique_ptr<DatagramPort>> SoundReceiver::open_port(const Wall& wall, const SoundStream& sound) {
  const auto local = Address::parse(sound.node->address, media_port(wall, sound.band.flow));
  if (!local) return local.error();
  // Packets of both networks arrive at one socket: the second of each is a duplicate.
  const bool any = !sound.node->second_address.empty();
  auto socket = UdpSocket::bind(any ? Address::any(local->is_ipv6(), local->port()) : *local);
  if (!socket) return socket.error();
  [[maybe_unused]] const auto granted = socket->grow_receive_buffer(receive_buffer);
  if (const auto servers = sending_hosts(wall, sound.band.tile); !servers.empty()) admit_only(*socket, servers);
  return std::unique_ptr<DatagramPort>(std::make_unique<SocketPort>(std::move(*socket)));
}

SoundReceiver::SoundReceiver(const Wall& wall, Ports ports, SoundOutput& output, const std::optional<MediaKey>& key)
    : ports_(std::move(ports)),
      output_(output),
      buffer_(wall.streaming.longest_playout_delay().count() + spare_ms),
      descriptor_(ports_.media->descriptor()) {
  if (key) opener_.emplace(*key);
}

WallTime SoundReceiver::pts_of(std::int64_t number) const {
  const auto media_time = time_of_sample(number * sound_packet_samples);
  return media_time + delay_.at(media_time);
}

Wait SoundReceiver::step(const Moment& now) {
  delay_ = ports_.delay();
  receive(now);
  play(now);
  published_.publish(counted_);
  // While it plays, packets wait in the socket until the next one is due.
  if (next_) return {std::max(local_of(pts_of(*next_), now), LocalTime{now.local + std::chrono::milliseconds{1}})};
  return {LocalTime::max(), {&descriptor_, 1}};
}

void SoundReceiver::receive(const Moment& now) {
  for (int i = 0; i < datagrams_max; ++i) {
    const auto datagram = ports_.media->receive_now(datagram_);
    if (!datagram) return;
    take(std::span(datagram_).first(std::min(datagram->bytes, datagram_.size())), now);
  }
}

void SoundReceiver::take(std::span<std::byte> datagram, const Moment& now) {
  ++counted_.received;
  SoundPacket packet;
  if ((opener_ && opener_->open(datagram, now.local) != PacketOpener::Fate::done) ||
      !parse_sound(datagram, packet).empty()) {
    ++counted_.invalid;
    return;
  }
  const auto newest_sent = sample_from(now.wall);
  // The first packet of a stream whose time has not passed.
  const auto first = sample_from(now.wall - delay_.at(now.wall)) / sound_packet_samples + 1;
  switch (buffer_.put(packet, newest_sent, next_.value_or(first))) {
    case SoundBuffer::Fate::taken:
      heard_ = now.local;
      if (!next_) next_ = sample_near(newest_sent, packet.header.timestamp) / sound_packet_samples;
      break;
    case SoundBuffer::Fate::duplicate:
      ++counted_.duplicate;
      break;
    case SoundBuffer::Fate::late:
      ++counted_.late;
      break;
    case SoundBuffer::Fate::invalid:
      ++counted_.invalid;
      break;
  }
}

void SoundReceiver::play(const Moment& now) {
  for (; next_; ++*next_) {
    const auto pts = pts_of(*next_);
    if (pts > now.wall) return;
    if (*next_ > buffer_.newest().value_or(0)) {
      if (now.local - heard_ < silence_max) return;
      next_.reset();
      buffer_.clear();
      return;
    }
    hand_over(*next_, pts, now.wall);
  }
}

void SoundReceiver::hand_over(std::int64_t number, WallTime pts, WallTime now) {
  const auto held = buffer_.at(number);
  const bool too_late = now - pts > late_max;
  if (held) channels_ = held->channels;
  if (!held)
    ++counted_.lost;
  else if (too_late)
    ++counted_.skipped;
  else
    ++counted_.played;
  if (too_late) return;
  const auto silent = std::span(silence).first(static_cast<std::size_t>(sound_packet_samples) * channels_);
  output_.play({number * sound_packet_samples, channels_, held ? held->samples : silent, pts, now, !held});
}

}  // namespace lw
