#include "probe/analyze/rtp_stream.h"

#include "common/wire/media_packet.h"
#include "common/wire/sequence.h"
#include "probe/analyze/frame_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace lw {
namespace {

// Times of a stream are relative to its first packet and limited to this, so that no difference overflows, whatever a
// capture contains.
constexpr std::chrono::seconds time_max{1'000'000'000};

double microseconds(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

// Nearest rank of sorted values.
double quantile(const std::vector<double>& sorted, double fraction) {
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

std::optional<RtpPacket> rtp_in(const UdpDatagram& datagram) {
  // With the marker, payload types 64 to 95 are RTCP's packet types 192 to 223.
  constexpr unsigned rtcp_first = 192, rtcp_last = 223;
  if (datagram.payload.size() < sizeof(wire::RtpHeader)) return {};
  wire::RtpHeader header{};
  std::memcpy(&header, datagram.payload.data(), sizeof(header));
  if (header.version_padding_extension_count >> 6U != 2) return {};
  if (header.marker_payload_type >= rtcp_first && header.marker_payload_type <= rtcp_last) return {};
  RtpPacket packet;
  packet.ssrc = header.ssrc.value();
  packet.sequence = header.sequence.value();
  packet.timestamp = header.timestamp.value();
  packet.payload_type = header.marker_payload_type & 0x7fU;
  packet.marker = (header.marker_payload_type & 0x80U) != 0;
  // Only our own senders are known to use RFC 4175's extended sequence numbers; others may leave the upper half 0.
  MediaPacket media;
  if (datagram.payload.size() == datagram.payload_bytes && parse_media_packet(datagram.payload, media).empty() &&
      media.stamp && !media.resent)
    packet.extended_sequence = std::uint32_t{media.sequence_upper} << 16U | media.sequence;
  return packet;
}

std::uint32_t clock_rate_of(std::uint8_t payload_type) {
  switch (payload_type) {
    case 0:
    case 3:
    case 4:
    case 5:
    case 7:
    case 8:
    case 9:
    case 12:
    case 13:
    case 15:
    case 18:
      return 8000;
    case 6:
      return 16'000;
    case 10:
    case 11:
      return 44'100;
    case 16:
      return 11'025;
    case 17:
      return 22'050;
    default:
      return 90'000;
  }
}

std::int64_t RtpStream::unrolled(const RtpPacket& packet) const {
  if (tracker_.empty()) return packet.extended_sequence.value_or(packet.sequence);
  return packet.extended_sequence ? unroll<32>(tracker_.highest(), *packet.extended_sequence)
                                  : unroll<16>(tracker_.highest(), packet.sequence);
}

Nanoseconds RtpStream::duration_of(std::int64_t ticks) const {
  const auto hz = static_cast<std::int64_t>(clock_hz_);
  const std::chrono::seconds whole{std::clamp(ticks / hz, -time_max.count(), time_max.count())};
  return whole + Nanoseconds{ticks % hz * 1'000'000'000 / hz};
}

void RtpStream::take(const RtpPacket& packet, Nanoseconds captured, std::size_t bytes) {
  const auto sequence = unrolled(packet);
  if (packets_ == 0) {
    first_ = captured;
    first_timestamp_ = timestamp_ = packet.timestamp;
    payload_type_ = packet.payload_type;
  } else {
    timestamp_ = unroll<32>(timestamp_, packet.timestamp);
    consecutive_ = consecutive_ || packet.sequence == static_cast<std::uint16_t>(before_ + 1);
  }
  before_ = packet.sequence;
  const auto time = std::clamp<Nanoseconds>(captured - first_, -time_max, time_max);
  last_ = std::max(last_, time);
  ++packets_;
  bytes_ += bytes;
  payload_bytes_max_ = std::max(payload_bytes_max_, bytes);
  const auto verdict = tracker_.take(sequence);
  take_jitter(time);
  if (verdict != SequenceTracker::Verdict::duplicate && verdict != SequenceTracker::Verdict::too_old)
    take_frame(packet, time, sequence);
}

void RtpStream::take_jitter(Nanoseconds time) {
  jitter_.add(WallTime{time}, WallTime{media_time(timestamp_)});
  const auto now = jitter_.microseconds();
  if (!now) return;
  ++jitters_;
  jitter_sum_us_ += *now;
  jitter_max_us_ = std::max(jitter_max_us_, *now);
}

void RtpStream::begin_frame(std::int64_t sequence) {
  Frame frame{timestamp_, sequence, false, {}, sequence};
  if (!frames_.empty()) {
    const auto& before = frames_.back();
    const bool marked = marked_timestamp_ == before.timestamp && marked_sequence_ < sequence;
    frame.begin_known = marked || sequence == before.last_sequence + 1;
    if (marked) frame.first_sequence = marked_sequence_ + 1;
  }
  frames_.push_back(frame);
}

void RtpStream::take_frame(const RtpPacket& packet, Nanoseconds time, std::int64_t sequence) {
  // Packets of frames further back than this are too late to say anything about pacing.
  constexpr std::ptrdiff_t look_back = 8;
  if (frames_.empty() || timestamp_ > frames_.back().timestamp) begin_frame(sequence);
  auto frame = frames_.rbegin();
  const auto oldest = frames_.rbegin() + std::min(look_back, std::ssize(frames_));
  frame = std::find_if(frame, oldest, [&](const Frame& known) { return known.timestamp == timestamp_; });
  if (frame == oldest) return;
  if (frame->begin_known && sequence == frame->first_sequence) frame->first = time;
  frame->first_sequence = std::min(frame->first_sequence, sequence);
  frame->last_sequence = std::max(frame->last_sequence, sequence);
  if (packet.marker) {
    marked_sequence_ = sequence;
    marked_timestamp_ = timestamp_;
  }
  arrivals_.push_back({time, sequence, static_cast<std::uint32_t>(frames_.rend() - frame - 1)});
}

RtpFigures RtpStream::figures() const {
  auto tracker = tracker_;
  tracker.end();
  RtpFigures figures;
  figures.packets = packets_;
  figures.bytes = bytes_;
  figures.payload_type = payload_type_;
  figures.clock_hz = clock_hz_;
  figures.lost = tracker.lost();
  figures.loss_runs = tracker.runs();
  figures.loss_run_max = tracker.run_max();
  figures.duplicates = tracker.duplicates();
  figures.reordered = tracker.reordered();
  figures.duration_s = std::chrono::duration<double>(last_).count();
  if (figures.duration_s > 0) figures.gbit_per_s = static_cast<double>(bytes_) * 8e-9 / figures.duration_s;
  if (jitters_ > 0) {
    figures.jitter_us = jitter_.microseconds();
    figures.jitter_us_mean = jitter_sum_us_ / static_cast<double>(jitters_);
    figures.jitter_us_max = jitter_max_us_;
  }
  add_frame_figures(figures);
  add_spacing(figures);
  return figures;
}

void RtpStream::add_frame_figures(RtpFigures& figures) const {
  figures.frames = frames_.size();
  InterarrivalJitter jitter;
  std::vector<double> transits_us, intervals_us;
  std::optional<Nanoseconds> before;
  for (const auto& frame : frames_) {
    if (before && frame.first) intervals_us.push_back(microseconds(*frame.first - *before));
    before = frame.first;
    if (!frame.first) continue;
    const auto media = media_time(frame.timestamp);
    jitter.add(WallTime{*frame.first}, WallTime{media});
    transits_us.push_back(microseconds(*frame.first - media));
  }
  figures.frame_jitter_us = jitter.microseconds();
  if (!intervals_us.empty()) {
    const auto [shortest, longest] = std::ranges::minmax(intervals_us);
    figures.frame_interval_us_min = shortest;
    figures.frame_interval_us_max = longest;
    figures.frame_interval_us_mean =
        std::accumulate(intervals_us.begin(), intervals_us.end(), 0.0) / static_cast<double>(intervals_us.size());
  }
  if (transits_us.size() < 2) return;
  std::ranges::sort(transits_us);
  const double least = transits_us.front();
  for (auto& transit : transits_us) transit -= least;
  figures.pdv_us = {quantile(transits_us, 0.5), quantile(transits_us, 0.99), transits_us.back()};
}

void RtpStream::add_spacing(RtpFigures& figures) const {
  std::vector<std::int64_t> timestamps;
  timestamps.reserve(frames_.size());
  std::int64_t most = 0;
  for (const auto& frame : frames_) {
    timestamps.push_back(frame.timestamp);
    if (frame.begin_known) most = std::max(most, frame.last_sequence - frame.first_sequence + 1);
  }
  if (most < 2) return;
  const auto frames = number_frames(timestamps);
  if (!frames) return;
  std::vector<PacketArrival> arrivals;
  arrivals.reserve(arrivals_.size());
  for (const auto& arrival : arrivals_) {
    const auto& frame = frames_[arrival.frame];
    if (!frame.begin_known) continue;
    arrivals.push_back({WallTime{arrival.time}, frames->numbers[arrival.frame],
                        static_cast<std::size_t>(arrival.sequence - frame.first_sequence)});
  }
  SpacingModel model{static_cast<std::size_t>(most), frames->period_ticks / clock_hz_};
  model.include_datagram(payload_bytes_max_, ipv6_);
  figures.spacing_model = model;
  figures.spacing = packet_spacing(model, arrivals);
}

}  // namespace lw
