#include "server/send/frame_packets.h"

#include "common/base/cache_lines.h"
#include "common/pixel/lossless_band.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace lw {
namespace {

// Sequence numbers wrap.
std::uint32_t numbers_of(const FrameCounts& frames, const std::array<std::size_t, FrameCounts::formats>& packets_of) {
  return static_cast<std::uint32_t>(
      std::inner_product(frames.of.begin(), frames.of.end(), packets_of.begin(), std::uint64_t{0}));
}

// The line of a packet's header, and that before it with the padding of the previous packet.
void prefetch_around(const std::byte* slot) {
  constexpr int to_write = 1, into_second_level = 2;
  __builtin_prefetch(slot, to_write, into_second_level);
  __builtin_prefetch(slot - cache_line_bytes, to_write, into_second_level);
}

}  // namespace

FramePackets::FramePackets(const Wall& wall, const Band& band, const PacketCut& cut, const StreamNumbers& numbers,
                           bool two_sets)
    : band_(band),
      width_(wall.tile(band.tile).place.width),
      tile_height_(wall.tile(band.tile).place.height),
      bands_of_tile_(wall.streaming.flows_per_tile),
      cut_(cut),
      ssrc_(numbers.ssrc),
      sets_used_(two_sets ? 2 : 1) {
  if (wall.streaming.fec != FecUse::never) parity_.emplace(wall.streaming.fec_strength, numbers);
  for (std::size_t i = 0; i < packets_of_.size(); ++i) {
    const auto format = static_cast<PixelFormat>(i);
    if (!has_groups(format, width_)) continue;
    const auto layout = PacketTemplates::lay_out(format, width_, band_.rows_in(format).count, cut_, ssrc_);
    if (!layout) continue;
    packets_of_[i] = layout->packets().size();
    if (parity_) parity_of_[i] = FecGroups(packets_of_[i], wall.streaming.fec_strength).parity_packets();
  }
}

void FramePackets::begin_streams(const StreamNumbers& numbers) {
  ssrc_ = numbers.ssrc;
  format_.reset();
  if (parity_) parity_->begin_stream(numbers);
}

std::uint32_t FramePackets::media_numbers(const FrameCounts& frames) const { return numbers_of(frames, packets_of_); }
std::uint32_t FramePackets::parity_numbers(const FrameCounts& frames) const { return numbers_of(frames, parity_of_); }

FramePackets::~FramePackets() {
  for (auto& set : sets_)
    if (set.held != nullptr) set.held->release();
}

void FramePackets::let_go(std::uint64_t sends) {
  for (auto& set : sets_)
    if (set.held != nullptr && sends >= set.held_until) std::exchange(set.held, nullptr)->release();
}

bool FramePackets::all_free() const {
  return std::ranges::all_of(sets_, [](const Set& set) { return set.held == nullptr; });
}

// A frame that is sent again has its headers in the same slots.
bool FramePackets::free_for(PixelFormat format, const FrameBuffer& buffer) const {
  if (format != format_) return all_free();
  if (buffer.in_slots && std::ranges::any_of(sets_, [&](const Set& set) { return set.held == &buffer; })) return false;
  return std::ranges::any_of(std::span(sets_).first(sets_used_), [](const Set& set) { return set.held == nullptr; });
}

bool FramePackets::lay_out(PixelFormat format) {
  format_.reset();
  for (std::size_t i = 0; i < sets_used_; ++i) {
    auto templates = PacketTemplates::lay_out(format, width_, band_.rows_in(format).count, cut_, ssrc_);
    if (!templates) return false;
    sets_[i].templates = std::move(*templates);
  }
  if (const auto& slots = sets_[0].templates.slots()) {
    const auto tile = TileSlots::of(format, width_, tile_height_, bands_of_tile_, slots->slot_bytes());
    first_slot_ = tile->bands()[band_.flow % bands_of_tile_].memory;
  }
  format_ = format;
  parity_laid_out_ = false;
  return true;
}

BandPixels FramePackets::pixels_of(const FrameBuffer& buffer) const {
  if (!buffer.in_slots) return buffer.data + row_bytes(*format_, width_) * band_.rows_in(*format_).first;
  return {buffer.data + first_slot_, &*templates().slots()};
}

// The store's own octets decide: those that make no sense are sent whole, and nodes refuse them.
std::uint32_t FramePackets::used_of(const FrameBuffer& buffer) const {
  if (!info(*format_).varies_in_length()) return 0;
  const auto memory = row_bytes(*format_, width_) * band_.rows_in(*format_).count;
  return static_cast<std::uint32_t>(lossless_used(pixels_of(buffer).at(0), memory));
}

std::size_t FramePackets::run_most(std::size_t first) const {
  if (first >= media_count()) return total() - first;
  const auto& slots = templates().slots();
  return std::min(slots ? slots->together_from(first) : media_count(), media_count() - first);
}

void FramePackets::begin(const FrameBuffer& buffer, const FrameStamp& stamp, std::uint32_t sequence,
                         const Parity& parity) {
  assert(format_ && free_for(*format_, buffer) && (!buffer.in_slots || templates().slots()));
  current_ = sets_[0].held == nullptr ? 0 : 1;
  slots_ = buffer.in_slots ? buffer.data + first_slot_ : nullptr;
  pixels_ = pixels_of(buffer);
  media_count_ = templates().packets_of(stamp);
  stamp_ = stamp;
  sequence_ = sequence;
  with_parity_ = parity.is_sent && parity_.has_value();
  if (!with_parity_) return;
  // It uses only the positions of pixels from the templates, which are the same in both sets.
  if (!std::exchange(parity_laid_out_, true)) parity_->lay_out(sets_[current_].templates, ssrc_);
  parity_->begin(stamp, sequence, pixels_, parity.number);
}

std::optional<std::size_t> FramePackets::longest_run() const {
  if (!with_parity_) return std::nullopt;
  return parity_->groups().longest_run();
}

std::span<const DatagramPieces> FramePackets::run(std::size_t first, std::size_t count) {
  if (first >= media_count()) return parity_->datagrams().subspan(first - media_count(), count);
  if (slots_ != nullptr) return run_in_slots(first, count);
  auto& templates = sets_[current_].templates;
  templates.stamp(stamp_, sequence_ + static_cast<std::uint32_t>(first), first, count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& packet = templates.packets()[first + i];
    auto& datagram = run_[i];
    datagram.pieces[0] = piece_of(templates.header(packet), packet.header_bytes);
    datagram.pieces[1] = piece_of(pixels_.at(packet.pixel_offset), packet.pixel_bytes);
    datagram.pieces[2] = piece_of(templates.padding(packet), packet.padding_bytes);
    datagram.count = packet.padding_bytes > 0 ? 3 : 2;
  }
  return std::span(run_).first(count);
}

// One piece of memory. The lines of the next run's headers are fetched while this one is sent.
std::span<const DatagramPieces> FramePackets::run_in_slots(std::size_t first, std::size_t count) {
  const auto& templates = this->templates();
  const auto& slots = *templates.slots();
  templates.write_around(slots_, stamp_, sequence_ + static_cast<std::uint32_t>(first), first, count);
  for (std::size_t i = 0; i < count; ++i) {
    run_[i].pieces[0] = piece_of(slots_ + slots.slot(first + i), templates.packets()[first + i].bytes());
    run_[i].count = 1;
  }
  const auto next = first + count;
  for (std::size_t i = next; i < std::min(next + count, media_count()); ++i) prefetch_around(slots_ + slots.slot(i));
  return std::span(run_).first(count);
}

void FramePackets::sent(std::size_t packets) {
  if (!with_parity_) return;
  parity_->encode_for(std::min(packets, media_count()));
  if (packets > media_count()) parity_->sent(packets - media_count());
}

void FramePackets::hold(FrameBuffer* buffer, std::uint64_t until) {
  sets_[current_].held = buffer;
  sets_[current_].held_until = until;
}

}  // namespace lw
