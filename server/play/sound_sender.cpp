#include "server/play/sound_sender.h"

#include "server/play/sound_line.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw {
namespace {

constexpr std::size_t sound_commands_max = 64;
// A thread that was delayed by less than this sends what is due, so that no sound is missing.
constexpr std::int64_t behind_max = sound_rate / 20;
constexpr std::chrono::seconds sound_report_interval{1};
constexpr std::chrono::milliseconds sound_look_interval{20};  // for something to play

constexpr std::int64_t packet_from(WallTime now) {
  return (sample_from(now) + sound_packet_samples - 1) / sound_packet_samples * sound_packet_samples;
}

}  // namespace

Result<std::unique_ptr<SoundSender>> SoundSender::start(const Wall& wall, const WallServer& server) {
  std::vector<Stream> streams;
  for (const auto& sound : sounds_of(wall, server)) {
    auto place = wall;
    place.sites.clear();  // sites get no sound
    auto ports = open_sender_ports(place, server, sound.band);
    if (!ports) return Error(ports.error()).in("sound of node '" + sound.node->name + "'");
    streams.push_back({sound, std::move(*ports)});
  }
  std::unique_ptr<SoundSender> sender;
  if (streams.empty()) return sender;
  const auto key = load_media_key(wall.streaming.srtp_key_file);
  if (!key) return key.error();
  sender = std::make_unique<SoundSender>(std::move(streams), *key, wall.servers.size() == 1);
  auto runner = Runner::start({.name = "sound", .realtime_priority = wall.streaming.realtime_priority}, {sender.get()});
  if (!runner) return runner.error();
  sender->runner_ = std::move(*runner);
  return sender;
}

SoundSender::SoundSender(std::vector<Stream> streams, const std::optional<MediaKey>& key, bool alone)
    : name_(canonical_name("server")), alone_(alone), inbox_(sound_commands_max) {
  if (key) sealer_.emplace(*key);
  for (auto& [sound, ports] : streams) {
    auto& out = outs_.emplace_back();
    out.flow = sound.band.flow;
    out.server = ports.server;
    out.numbers = ports.numbers;
    for (auto& path : ports.paths) out.paths.push_back(std::make_unique<Path>(std::move(path)));
  }
}

bool SoundSender::post(SoundCue cue) {
  std::variant<SoundCue, Shift> command(std::move(cue));
  if (!inbox_.try_push(command)) return false;
  bell().ring();
  return true;
}

bool SoundSender::shift(Nanoseconds by) {
  std::variant<SoundCue, Shift> command(Shift{by});
  if (!inbox_.try_push(command)) return false;
  bell().ring();
  return true;
}

void SoundSender::take_commands() {
  std::variant<SoundCue, Shift> command;
  while (inbox_.try_pop(command)) {
    if (const auto* shift = std::get_if<Shift>(&command)) {
      cue_.line.shift(shift->by);
      for (auto& cue : upcoming_) cue.line.shift(shift->by);
    } else {
      auto& cue = std::get<SoundCue>(command);
      while (!upcoming_.empty() && upcoming_.back().line.first_tick() >= cue.line.first_tick()) upcoming_.pop_back();
      if (cue.store) SoundReader::prepare(*cue.store, sound_at(cue.line, first_sample_of(cue.line)).from.value_or(0));
      upcoming_.push_back(std::move(cue));
    }
  }
}

// Lines begin at their times, whatever their ticks are.
void SoundSender::follow_lines(std::int64_t sample) {
  while (!upcoming_.empty() && first_sample_of(upcoming_.front().line) <= sample) {
    begin_cue(std::move(upcoming_.front()));
    upcoming_.pop_front();
  }
}

void SoundSender::begin_cue(SoundCue cue) {
  if (cue.store != cue_.store) reader_.use(cue.store);
  if (!cue.start) cue.start = cue_.start;
  if (cue.start && cue.start != cue_.start)
    for (auto& out : outs_) {
      out.numbers = StreamNumbers::of(*cue.start, out.flow, out.server);
      out.packets = out.bytes = 0;
    }
  cue_ = std::move(cue);
  next_report_ = WallTime{};
}

Wait SoundSender::step(const Moment& now) {
  take_commands();
  const auto due = packet_from(now.wall);
  if (next_ > due + behind_max || next_ + behind_max < due) skip_to(due);
  for (; time_of_sample(next_) <= now.wall; next_ += sound_packet_samples) {
    make(next_);
    if (channels_ > 0 && may_send()) send_packet(next_);
  }
  stepped_ = now.wall;
  report(now.wall);
  counted_.read_failures = reader_.failures();
  published_.publish(counted_);
  const bool plays = reader_.channels() > 0 || !upcoming_.empty();
  return {plays ? local_of(time_of_sample(next_), now) : LocalTime{now.local + sound_look_interval}};
}

// The clock was set, or the thread did not run: what is missing is not sent. Lines are announced longer before their
// time than a thread may be behind.
void SoundSender::skip_to(std::int64_t due) {
  if (next_ != 0 && due > next_) {
    if (reader_.channels() > 0) counted_.skipped += static_cast<std::uint64_t>((due - next_) / sound_packet_samples);
    if (!alone_) ++counted_.holds;
  }
  next_ = due;
}

bool SoundSender::may_send() const {
  return sends_.load(std::memory_order_relaxed) && !held_.load(std::memory_order_relaxed) &&
         released_.load(std::memory_order_relaxed) == counted_.holds;
}

// The samples of the packet that begins with this one. A line may begin within it.
void SoundSender::make(std::int64_t sample) {
  follow_lines(sample);
  channels_ = reader_.channels();
  const auto end = sample + sound_packet_samples;
  std::ranges::fill(samples_, 0);
  for (auto at = sample; at < end;) {
    follow_lines(at);
    if (channels_ == 0) channels_ = reader_.channels();  // sound begins within the packet
    auto until = end;
    if (!upcoming_.empty()) until = std::min(until, first_sample_of(upcoming_.front().line));
    if (cue_.store && at >= first_sample_of(cue_.line)) {
      const auto part = sound_at(cue_.line, at);
      until = std::min(until, at + part.count);
      // Another number of channels begins with the next packet.
      if (part.from && reader_.channels() == channels_)
        reader_.read(*part.from, std::span(samples_).subspan(static_cast<std::size_t>(at - sample) * channels_,
                                                             static_cast<std::size_t>(until - at) * channels_));
    }
    at = until;
  }
  darken(sample);
}

// Sound fades as the frames do.
void SoundSender::darken(std::int64_t sample) {
  const auto fades = fades_.read();
  const auto first = fades.brightness_at(time_of_sample(sample));
  const auto last = fades.brightness_at(time_of_sample(sample + sound_packet_samples));
  if (first == 1 && last == 1) return;
  for (std::int64_t i = 0; i < sound_packet_samples; ++i) {
    const auto share = first + (last - first) * static_cast<double>(i) / static_cast<double>(sound_packet_samples);
    for (auto& value : std::span(samples_).subspan(static_cast<std::size_t>(i) * channels_, channels_))
      value = static_cast<std::int32_t>(std::lrint(value * share));
  }
}

void SoundSender::send_packet(std::int64_t sample) {
  const auto count = static_cast<std::size_t>(sound_packet_samples) * channels_;
  write_samples(std::span(samples_).first(count), payload_.data());
  const auto bytes = sound_payload_bytes(channels_);
  for (auto& out : outs_) {
    write_header(sound_header_of(sample, channels_, out.numbers.ssrc, out.numbers.first_sequence), out.header);
    DatagramPieces packet;
    packet.pieces[0] = piece_of(out.header.data(), out.header.size());
    packet.pieces[1] = piece_of(payload_.data(), bytes);
    packet.count = 2;
    std::span<const DatagramPieces> run(&packet, 1);
    if (sealer_) run = sealer_->seal(run);
    for (auto& path : out.paths) {
      ++counted_.packets;
      if (path->sender.send_apart(run) == 0) ++counted_.send_errors;
    }
    ++out.packets;
    out.bytes += bytes;
  }
}

void SoundSender::report(WallTime now) {
  if (!is_due(next_report_, now, sound_report_interval)) return;
  next_report_ = now + sound_report_interval;
  for (auto& out : outs_) tell(out, now, false);
}

void SoundSender::tell(Out& out, WallTime now, bool bye) {
  if (out.packets == 0) return;
  const SenderReport report{out.numbers.ssrc, now, static_cast<std::uint32_t>(sample_from(now)),
                            static_cast<std::uint32_t>(out.packets), static_cast<std::uint32_t>(out.bytes)};
  std::span<const std::byte> compound(told_.data(), encode(report, name_, bye, told_));
  if (sealer_) compound = sealer_->seal_rtcp(compound);
  if (compound.empty()) return;
  for (auto& path : out.paths) path->control->tell(compound);
}

void SoundSender::end() {
  for (auto& out : outs_) tell(out, stepped_, true);
  spdlog::info("sound: {} packets sent, {} refused by the kernel; {} ms skipped, {} reads failed", counted_.packets,
               counted_.send_errors, counted_.skipped, counted_.read_failures);
}

}  // namespace lw
