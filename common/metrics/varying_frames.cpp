#include "common/metrics/varying_frames.h"

#include <algorithm>

namespace lw {

bool VaryingFrames::lay_out(PixelFormat format) {
  if (numbers_ > 0) return true;
  auto templates = PacketTemplates::lay_out(format, width_, group_rows(format, rows_), cut_, 0);
  if (!templates) return false;
  templates_ = std::move(*templates);
  numbers_ = static_cast<std::int64_t>(templates_.packets().size());
  return true;
}

void VaryingFrames::come(const MediaPacket& packet, std::int64_t sequence, SequenceTracker& sequences) {
  if (packet.stamp && packet.stamp->used > 0) {
    const auto format = pixel_format_of_payload_type(packet.payload_type);
    // Most packets are of the newest frame.
    if (count_ > 0) {
      const auto& newest = frames_[count_ - 1];
      const bool complete = newest.known && (newest.before != 0 || packet.stamp->packets_before == 0);
      if (complete && sequence >= newest.first && sequence < end_of(newest)) return;
    }
    if (!format || !lay_out(*format)) return;
    if (const auto number = templates_.number_of(packet))
      learn({sequence - static_cast<std::int64_t>(*number),
             static_cast<std::int64_t>(templates_.packets_of(*packet.stamp)), packet.stamp->packets_before},
            sequences);
    return;
  }
  if (count_ == 0 || sequence < end_of(frames_[count_ - 1])) return;
  end_newest(sequences);
  forget();
}

void VaryingFrames::come(PixelFormat format, std::int64_t first, std::uint32_t packets, SequenceTracker& sequences) {
  if (!lay_out(format) || packets == 0 || packets > static_cast<std::uint64_t>(numbers_)) return;
  learn({first, packets}, sequences);
}

void VaryingFrames::come(std::int64_t first, std::int64_t packets, std::int64_t numbers, SequenceTracker& sequences) {
  if (std::exchange(numbers_, numbers) != numbers) forget();
  learn({first, packets}, sequences);
}

void VaryingFrames::learn(const Frame& frame, SequenceTracker& sequences) {
  const auto place =
      std::lower_bound(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count_), frame.first,
                       [](const Frame& one, std::int64_t first) { return one.first < first; });
  const auto at = static_cast<std::size_t>(place - frames_.begin());
  if (at < count_ && place->first == frame.first) {
    if (place->known && (place->before != 0 || frame.before == 0)) return;
    *place = frame;
    sequences.correct(frame.first, frame.first + frame.packets - 1, true);
    sequences.correct(frame.first + frame.packets, end_of(frame) - 1, false);
    share_again(at, sequences);
    return;
  }
  if (at < count_) return;  // older than all that is known of these frames
  if (count_ == 0 || frame.first < end_of(frames_[count_ - 1])) {
    sequences.correct(frame.first + frame.packets, end_of(frame) - 1, false);  // if it comes late
    push(frame);
    return;
  }
  const auto before = frames_[count_ - 1];
  end_newest(sequences);
  const auto gap = frame.first - end_of(before);
  // Not a multiple: frames of other formats were in between, whose packets count as missing.
  if (gap > 0 && gap % numbers_ == 0) {
    const auto frames = gap / numbers_;
    const auto packets = packets_between(before, frame).value_or(frames * frame.packets);
    assume(end_of(before), frames, std::clamp(packets, std::int64_t{0}, gap), sequences);
  }
  push(frame);
}

// Passes its last packets, as far as they have not arrived, and the numbers that it did not need.
void VaryingFrames::end_newest(SequenceTracker& sequences) {
  const auto& newest = frames_[count_ - 1];
  if (std::exchange(newest_ended_, newest.first) != newest.first) pass(newest, sequences);
}

void VaryingFrames::pass(const Frame& frame, SequenceTracker& sequences) {
  const auto last = frame.first + frame.packets - 1;
  if (missed_ && last > sequences.highest()) missed_(last);
  sequences.know_sent(last);
  sequences.skip(end_of(frame) - 1);
}

// So many frames had so many packets in all.
void VaryingFrames::assume(std::int64_t first, std::int64_t frames, std::int64_t packets, SequenceTracker& sequences) {
  if (frames > static_cast<std::int64_t>(frames_kept) / 2) {  // it does not matter which of them had these
    const auto last = first + packets - 1;
    if (missed_ && last > sequences.highest()) missed_(last);
    sequences.know_sent(last);
    sequences.skip(first + frames * numbers_ - 1);
    return;
  }
  for (std::int64_t i = 0; i < frames; ++i) {
    const Frame frame{first + i * numbers_, packets / frames + (i < packets % frames ? 1 : 0), 0, false};
    pass(frame, sequences);
    push(frame);
  }
}

std::optional<std::int64_t> VaryingFrames::packets_between(const Frame& earlier, const Frame& later) {
  if (earlier.before == 0 || later.before == 0) return std::nullopt;
  return std::int64_t{static_cast<std::uint32_t>(later.before - earlier.before)} - earlier.packets;
}

// A frame has become known, and with it, perhaps, how many packets the assumed ones beside it had.
void VaryingFrames::share_again(std::size_t place, SequenceTracker& sequences) {
  const auto share = [&](std::size_t earlier, std::size_t later) {
    const auto frames = static_cast<std::int64_t>(later - earlier) - 1;
    const auto packets = packets_between(frames_[earlier], frames_[later]);
    if (frames <= 0 || !packets || *packets < 0 || *packets > frames * numbers_) return;
    for (std::int64_t i = 0; i < frames; ++i) {
      auto& frame = frames_[earlier + 1 + static_cast<std::size_t>(i)];
      frame.packets = *packets / frames + (i < *packets % frames ? 1 : 0);
      sequences.correct(frame.first, frame.first + frame.packets - 1, true);
      sequences.correct(frame.first + frame.packets, end_of(frame) - 1, false);
    }
  };
  std::size_t earlier = place, later = place;
  while (earlier > 0 && !frames_[earlier - 1].known) --earlier;
  while (later + 1 < count_ && !frames_[later + 1].known) ++later;
  if (earlier > 0) share(earlier - 1, place);
  if (later + 1 < count_) share(place, later + 1);
}

void VaryingFrames::push(const Frame& frame) {
  if (count_ == frames_.size()) std::move(frames_.begin() + 1, frames_.end(), frames_.begin()), --count_;
  frames_[count_++] = frame;
}

}  // namespace lw
