#include "common/metrics/varying_frames.h"

#include <algorithm>
#include <span>
#include <utility>

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
  end(sequence, sequences);
}

void VaryingFrames::come(const ParityPacket& packet, std::int64_t first, SequenceTracker& sequences) {
  if (!packet.varies) return end(first, sequences);
  if (!lay_out(PixelFormat::lossless) || packet.packets > static_cast<std::uint64_t>(numbers_)) return;
  learn({first, packet.packets}, sequences);
}

void VaryingFrames::come(std::int64_t first, std::int64_t packets, std::int64_t numbers, SequenceTracker& sequences) {
  if (std::exchange(numbers_, numbers) != numbers) forget();
  learn({first, packets}, sequences);
}

void VaryingFrames::end(std::int64_t sequence, SequenceTracker& sequences) {
  if (count_ == 0 || sequence < end_of(frames_[count_ - 1])) return;
  end_newest(sequences);
  forget();
}

void VaryingFrames::learn(const Frame& frame, SequenceTracker& sequences) {
  const auto place =
      std::lower_bound(frames_.begin(), frames_.begin() + static_cast<std::ptrdiff_t>(count_), frame.first,
                       [](const Frame& one, std::int64_t first) { return one.first < first; });
  const auto at = static_cast<std::size_t>(place - frames_.begin());
  if (at < count_ && place->first == frame.first) {
    if (place->known && (place->before != 0 || frame.before == 0)) return;
    *place = frame;
    correct(frame, sequences);
    balance_around(at, sequences);
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
    assume(end_of(before), frames,
           std::clamp(packets_until(frame).value_or(frames * frame.packets), std::int64_t{0}, gap), sequences);
  }
  push(frame);
  balance_around(count_ - 1, sequences);
}

// Between the newest frame and this one, if that is known.
std::optional<std::int64_t> VaryingFrames::packets_until(const Frame& frame) const {
  const auto from = numbered_before(count_);
  if (frame.before == 0 || !from) return std::nullopt;
  auto left = packets_from(frames_[*from], frame.before);
  for (auto i = *from; i < count_; ++i) left -= frames_[i].packets;
  return left;
}

// Passes its last packets, as far as they have not arrived, and the numbers that it did not need.
void VaryingFrames::end_newest(SequenceTracker& sequences) {
  const auto& newest = frames_[count_ - 1];
  if (std::exchange(newest_ended_, newest.first) != newest.first)
    pass(newest.first + newest.packets - 1, end_of(newest), sequences);
}

// Packets up to `last` were sent, and the numbers from there to `end` belong to none.
void VaryingFrames::pass(std::int64_t last, std::int64_t end, SequenceTracker& sequences) {
  if (missed_ && last > sequences.highest()) missed_(last);
  sequences.know_sent(last);
  sequences.skip(end - 1);
}

// By what is known, or assumed, of a frame that was passed.
void VaryingFrames::correct(const Frame& frame, SequenceTracker& sequences) {
  sequences.correct(frame.first, frame.first + frame.packets - 1, true);
  sequences.correct(frame.first + frame.packets, end_of(frame) - 1, false);
}

// So many frames had so many packets in all.
void VaryingFrames::assume(std::int64_t first, std::int64_t frames, std::int64_t packets, SequenceTracker& sequences) {
  if (frames > static_cast<std::int64_t>(frames_kept) / 2)  // it does not matter which of them had these
    return pass(first + packets - 1, first + frames * numbers_, sequences);
  for (std::int64_t i = 0; i < frames; ++i) {
    const Frame frame{first + i * numbers_, packets / frames + (i < packets % frames ? 1 : 0), 0, false};
    pass(frame.first + frame.packets - 1, end_of(frame), sequences);
    push(frame);
  }
}

// The newest frame before this place that says how many packets came before it, if all frames from it on are here.
std::optional<std::size_t> VaryingFrames::numbered_before(std::size_t place) const {
  for (auto i = place; i-- > 0;) {
    if (i + 1 < count_ && end_of(frames_[i]) != frames_[i + 1].first) return std::nullopt;
    if (frames_[i].before != 0) return i;
  }
  return std::nullopt;
}

// Of the packets from one frame to another, the assumed frames between had those that the known ones did not have.
void VaryingFrames::balance(std::size_t from, std::size_t to, SequenceTracker& sequences) {
  const auto frames = std::span(frames_).subspan(from, to - from);
  auto left = packets_from(frames_[from], frames_[to].before);
  std::int64_t assumed = 0;
  for (const auto& frame : frames) {
    left -= frame.known ? frame.packets : 0;
    assumed += !frame.known;
  }
  if (left < 0 || left > assumed * numbers_) return;
  for (auto& frame : frames) {
    if (frame.known) continue;
    frame.packets = (left + assumed - 1) / assumed;
    left -= frame.packets;
    --assumed;
    correct(frame, sequences);
  }
}

// A frame has become known, and with it, perhaps, how many packets the assumed ones beside it had.
void VaryingFrames::balance_around(std::size_t place, SequenceTracker& sequences) {
  auto from = numbered_before(place);
  if (frames_[place].before != 0) {
    if (from) balance(*from, place, sequences);
    from = place;
  }
  auto to = place + 1;
  while (to < count_ && frames_[to].before == 0) ++to;
  if (from && to < count_ && numbered_before(to) == from) balance(*from, to, sequences);
}

void VaryingFrames::push(const Frame& frame) {
  if (count_ == frames_.size()) std::move(frames_.begin() + 1, frames_.end(), frames_.begin()), --count_;
  frames_[count_++] = frame;
}

}  // namespace lw
