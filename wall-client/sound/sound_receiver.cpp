#include "wall-client/sound/sound_receiver.h"

#include "common/net/source_filter.h"
#include "common/net/udp_socket.h"

#include <algorithm>
#include <chrono>
#include <cmath>
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
constexpr std::int64_t reordered_most = 200;                       // packets that come before an earlier one
constexpr std::chrono::milliseconds step_least{1}, step_most{50};  // between two looks at the clock while it plays
constexpr double gain_step = 0.05;       // in a millisecond: from silence to full scale within 20 ms
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

// Packets need time to arrive: at least a quarter of the playout delay.
Nanoseconds SoundReceiver::lead_at(WallTime media_time) const {
  return std::min(output_.lead(), Nanoseconds{delay_.at(media_time)} * 3 / 4);
}

WallTime SoundReceiver::due(std::int64_t number) const {
  return pts_of(number) - lead_at(time_of_sample(number * sound_packet_samples));
}

Wait SoundReceiver::step(const Moment& now) {
  delay_ = ports_.delay();
  receive(now);
  play(now);
  output_.put_figures(counted_);
  published_.publish(counted_);
  // While it plays, packets wait in the socket until the next one is due, or its time may have been set back.
  if (next_) return {std::clamp(local_of(due(*next_), now), now.local + step_least, now.local + step_most)};
  return {LocalTime::max(), {&descriptor_, 1}};
}

void SoundReceiver::receive(const Moment& now) {
  for (int i = 0; i < datagrams_max; ++i) {
    const auto datagram = ports_.media->receive_now(datagram_);
    if (!datagram) return;
    take(std::span(datagram_).first(std::min(datagram->bytes, datagram_.size())), datagram->source, now);
  }
}

void SoundReceiver::take(std::span<std::byte> datagram, const Address& from, const Moment& now) {
  ++counted_.received;
  SoundPacket packet;
  if ((opener_ && opener_->open(datagram, now.local) != PacketOpener::Fate::done) ||
      !parse_sound(datagram, packet).empty()) {
    ++counted_.invalid;
    return;
  }
  const auto newest_sent = sample_from(now.wall);
  // The first packet of a stream whose time has not passed.
  const auto first = sample_from(now.wall - delay_.at(now.wall) + lead_at(now.wall)) / sound_packet_samples + 1;
  const auto number = sample_near(newest_sent, packet.header.timestamp) / sound_packet_samples;
  if (is_due_again(number, now.wall)) end_stream();
  const auto begun = sources_.begun(from, number);
  switch (buffer_.put(packet, newest_sent, next_.value_or(first), begun)) {
    case SoundBuffer::Fate::taken:
      heard_ = now.local;
      if (!next_) next_ = begun_ = number;
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

// The clock was set back: a packet is due that comes before one that was played, or long before the first.
bool SoundReceiver::is_due_again(std::int64_t number, WallTime now) const {
  if (!next_ || number >= *next_ || due(number) <= now) return false;
  return *next_ > begun_ || *next_ - number > reordered_most;
}

void SoundReceiver::play(const Moment& now) {
  for (; next_; ++*next_) {
    if (due(*next_) > now.wall) return;
    if (*next_ > buffer_.newest().value_or(0)) {
      if (now.local - heard_ < silence_max) return;
      end_stream();
      counted_.peak_dbfs.reset();
      return;
    }
    hand_over(*next_, pts_of(*next_), now.wall);
  }
}

void SoundReceiver::end_stream() {
  next_.reset();
  buffer_.clear();
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
  const auto samples = with_gain(held ? held->samples : silent);
  measure(number, samples);
  output_.play({number * sound_packet_samples, channels_, samples, pts, now, !held});
}

std::span<const std::int32_t> SoundReceiver::with_gain(std::span<const std::int32_t> samples) {
  const double before = gain_;
  const double wanted = gain_wanted_.load(std::memory_order_relaxed);
  gain_ = std::clamp(wanted, before - gain_step, before + gain_step);
  if (before == 1 && gain_ == 1) return samples;
  const auto frames = samples.size() / std::max(1U, channels_);
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double gain = before + (gain_ - before) * static_cast<double>(frame + 1) / static_cast<double>(frames);
    for (auto i = frame * channels_; i < (frame + 1) * channels_; ++i)
      louder_[i] = static_cast<std::int32_t>(std::lround(samples[i] * gain));
  }
  return std::span(louder_).first(samples.size());
}

void SoundReceiver::measure(std::int64_t number, std::span<const std::int32_t> samples) {
  constexpr std::int64_t packets_per_tenth = 100;
  if (const auto tenth = number / packets_per_tenth; std::exchange(tenth_, tenth) != tenth)
    loudest_before_ = std::exchange(loudest_, 0);
  for (const auto sample : samples)
    loudest_ =
        std::max(loudest_, sample < 0 ? 0U - static_cast<std::uint32_t>(sample) : static_cast<std::uint32_t>(sample));
  const auto loudest = std::max(loudest_, loudest_before_);
  constexpr double full_scale = 2147483648.0;
  counted_.peak_dbfs = loudest == 0 ? silence_dbfs : std::max(silence_dbfs, 20 * std::log10(loudest / full_scale));
}

}  // namespace lw
