#include "wall-client/receive/forecast.h"

#include "common/wire/parity_packet.h"
#include "common/wire/sequence.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace lw {
namespace {

constexpr std::size_t cache_line = 64;
// Messages in a row with the expected length before several are aimed at once: a wrong length costs the others a copy.
constexpr unsigned steady_min = 2;

// Whether the beginning of a media packet contains all that comes before its pixels: fixed header, extensions, the
// original's number of a resent one, and row headers up to the one that none follows.
bool header_ends_within(std::span<const std::byte> beginning) {
  constexpr std::size_t fixed = sizeof(wire::RtpHeader) + 4;
  constexpr std::uint8_t extension_only = 0x10;  // besides version and padding
  if (beginning.size() < fixed) return false;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(beginning.data());
  if ((bytes[0] & 0x1fU) != extension_only) return false;
  std::size_t at = fixed + (std::size_t{bytes[fixed - 2]} << 8U | bytes[fixed - 1]) * 4 + 2;
  const unsigned type = bytes[1] & 0x7fU;
  auto format = pixel_format_of_payload_type(static_cast<std::uint8_t>(type));
  if (!format && type >= wire::resend_payload_types) {
    format = pixel_format_of_payload_type(static_cast<std::uint8_t>(type - wire::resend_payload_types));
    if (format) at += wire::resend_bytes;
  }
  if (format) at += wire::before_rows(*format) - wire::fixed_bytes;
  for (; at + sizeof(wire::RowHeader) <= beginning.size(); at += sizeof(wire::RowHeader))
    if ((bytes[at + 4] & 0x80U) == 0) return true;
  return false;
}

}  // namespace

Forecast::Forecast(unsigned width, RowRange rows, const PacketCut& cut, unsigned burst_packets)
    : width_(width),
      rows_(rows),
      cut_(cut),
      burst_packets_(burst_packets),
      staging_(std::make_unique_for_overwrite<std::byte[]>(DatagramReceiver::run_bytes_max * batch_max)),
      overflow_(std::make_unique_for_overwrite<std::byte[]>(DatagramReceiver::run_bytes_max * batch_max)) {
  for (auto& message : messages_) message.pieces.reserve(1);
}

bool Forecast::lay_out(PixelFormat format) {
  auto templates = PacketTemplates::lay_out(format, width_, group_rows(format, rows_).count, cut_, 0);
  if (!templates) return false;
  templates_ = std::move(*templates);
  format_ = format;
  std::size_t header_max = 0;
  padding_room_ = 0;
  for (const auto& packet : templates_.packets()) {
    header_max = std::max<std::size_t>(header_max, packet.header_bytes);
    padding_room_ = std::max<std::size_t>(padding_room_, packet.padding_bytes);
  }
  head_bytes_ = (padding_room_ + header_max + cache_line - 1) / cache_line * cache_line;
  heads_per_message_ = DatagramReceiver::run_bytes_max / templates_.datagram_bytes() + 1;
  // One more, for the padding of the last packet.
  heads_.assign(head_bytes_ * (heads_per_message_ + 1) * messages_.size(), {});
  for (auto& message : messages_) message.pieces.reserve(2 * heads_per_message_ + 2);
  scattered_.reserve(2 * heads_per_message_ + 2);
  run_packets_ = std::clamp<std::size_t>(burst_packets_, 1, heads_per_message_);
  steady_ = 0;
  return true;
}

std::byte* Forecast::head(unsigned message, std::size_t index) const {
  const auto at = (message * (heads_per_message_ + 1) + index) * head_bytes_ + padding_room_;
  return const_cast<std::byte*>(heads_.data()) + at;
}

Forecast::Place Forecast::advanced(Place place, std::size_t packets) const {
  place.packet += packets;
  if (const auto of_frame = packets_in(place.frame); place.packet >= of_frame) {
    place.packet -= of_frame;
    ++place.frame;
  }
  return place;
}

// The sender cuts a frame into runs from its first packet on; only the last run of a frame, or of a block of slots, is
// shorter.
std::size_t Forecast::expected_run(Place start) const {
  const auto& slots = templates_.slots();
  const auto left = packets_in(start.frame) - start.packet;
  return std::min({run_packets_, left, slots ? slots->together_from(start.packet) : left});
}

// More than these would no longer be in the cache when they are looked at.
unsigned Forecast::messages_at_once() const {
  constexpr std::size_t batch_bytes = std::size_t{512} << 10U;
  constexpr unsigned batch_least = 4;
  const auto fit = batch_bytes / (run_packets_ * templates_.datagram_bytes());
  return std::clamp(static_cast<unsigned>(fit), batch_least, batch_max);
}

// Whether pixels of this packet are already in the band. Nothing of the next band has arrived.
bool Forecast::has_come(Place place, const Coverage& coverage) const {
  if (place.frame != 0) return false;
  const auto group_bytes = info(*format_).group_bytes;
  const auto& packet = templates_.packets()[place.packet];
  const auto first = packet.pixel_offset / group_bytes;
  return coverage.any(first, first + packet.pixel_bytes / group_bytes);
}

std::span<const std::span<iovec>> Forecast::aim(std::byte* current, const Coverage* coverage, std::byte* next) {
  bands_ = {current, next};
  is_aimed_ = false;
  found_ = {};
  unsigned count = 0;
  if (known_) {
    // A finished band takes no more packets: the next one's follow. So do those after rebuilt packets.
    aimed_packets_ = packets_;
    if (current == nullptr) next_packet_ = packets_;
    while (next_packet_ < packets_ && has_come({0, next_packet_}, *coverage)) ++next_packet_;
    const bool steady = steady_ >= steady_min;
    const unsigned messages = steady ? std::min(batch_ + 1, messages_at_once()) : 1;
    auto place = advanced({0, next_packet_}, 0);
    while (count < messages && place.frame < bands_.size() && bands_[place.frame] != nullptr) {
      // No two messages may be aimed at the same place: a longer run must not overlap the next message. Nor is the last
      // message aimed further than the length of a run: at low rates, aiming is most of the cost of a step.
      const auto run = expected_run(place);
      aim_message(count, place, steady ? run : heads_per_message_, coverage);
      place = advanced(place, run);
      ++count;
    }
  } else {
    while (count < batch_max) aim_plain(count++);
  }
  if (count == 0) aim_plain(count++);  // no buffer for the next frame
  return {targets_.data(), count};
}

void Forecast::aim_plain(unsigned message) {
  auto& to = messages_[message];
  to.aimed = false;
  to.pieces.clear();
  to.pieces.push_back({staging_.get() + message * DatagramReceiver::run_bytes_max, DatagramReceiver::run_bytes_max});
  targets_[message] = to.pieces;
}

// Ends where something has already arrived: from there on the kernel writes outside the bands.
void Forecast::aim_message(unsigned message, Place start, std::size_t packets_max, const Coverage* coverage) {
  const auto* const gaps = coverage != nullptr && coverage->has_gaps() ? coverage : nullptr;
  auto& to = messages_[message];
  to.aimed = is_aimed_ = true;
  to.gathered = false;
  to.start = start;
  to.packets = 0;
  to.pieces.clear();
  const auto room =
      templates_.slots() ? aim_together(to, packets_max, gaps) : aim_apart(to, message, packets_max, gaps);
  if (room > 0) to.pieces.push_back({overflow_.get() + message * DatagramReceiver::run_bytes_max, room});
  targets_[message] = to.pieces;
}

// Two pieces for a packet: its header, together with the padding of the previous packet, and its pixels. Returns the
// rest of a message's bytes.
std::size_t Forecast::aim_apart(Message& to, unsigned message, std::size_t packets_max, const Coverage* gaps) {
  std::size_t room = DatagramReceiver::run_bytes_max;
  std::size_t padding = 0;
  auto place = to.start;
  const auto packets = templates_.packets();
  while (to.packets < packets_max && place.frame < bands_.size() && bands_[place.frame] != nullptr) {
    const auto& packet = packets[place.packet];
    if (packet.bytes() > room || (gaps != nullptr && has_come(place, *gaps))) break;
    to.pieces.push_back({head(message, to.packets) - padding, padding + packet.header_bytes});
    to.pieces.push_back({bands_[place.frame] + packet.pixel_offset, packet.pixel_bytes});
    padding = packet.padding_bytes;
    room -= packet.bytes();
    ++to.packets;
    place = advanced(place, 1);
  }
  if (padding > 0) to.pieces.push_back({head(message, to.packets), padding});
  return room;
}

// A piece for all packets of a block.
std::size_t Forecast::aim_together(Message& to, std::size_t packets_max, const Coverage* gaps) {
  const auto& slots = *templates_.slots();
  std::size_t room = DatagramReceiver::run_bytes_max;
  auto place = to.start;
  while (to.packets < packets_max && place.frame < bands_.size() && bands_[place.frame] != nullptr) {
    const auto wanted = std::min({slots.together_from(place.packet), packets_in(place.frame) - place.packet,
                                  packets_max - to.packets, room / slots.slot_bytes()});
    auto count = wanted;
    if (gaps != nullptr)
      for (count = 0; count < wanted && !has_come(advanced(place, count), *gaps);) ++count;
    if (count == 0) break;
    const auto& last = templates_.packets()[place.packet + count - 1];
    const auto bytes = (count - 1) * slots.slot_bytes() + last.bytes();
    to.pieces.push_back({bands_[place.frame] + slots.slot(place.packet), bytes});
    room -= bytes;
    to.packets += count;
    if (count < wanted) break;
    place = advanced(place, count);
  }
  return room;
}

// Of an aimed datagram.
const std::byte* Forecast::header_of(unsigned message, std::size_t index, Place place) const {
  const auto& slots = templates_.slots();
  return slots ? bands_[place.frame] + slots->slot(place.packet) : head(message, index);
}

const std::byte* Forecast::band_of(unsigned message, std::size_t index) const {
  const auto& from = messages_[message];
  if (!from.aimed || from.gathered || index >= from.packets) return nullptr;
  return bands_[advanced(from.start, index).frame];
}

bool Forecast::begins_frame(unsigned message, std::size_t index, std::size_t bytes, MediaPacket& packet) const {
  const auto* band = band_of(message, index);
  if (band == nullptr) return false;
  const auto place = advanced(messages_[message].start, index);
  const auto& expected = templates_.packets()[place.packet];
  const std::byte* header = header_of(message, index, place);
  if (place.packet != 0 || bytes != expected.bytes() || !templates_.matches(expected, header, packet)) return false;
  const auto* pixels = templates_.slots() ? header + expected.header_bytes : band + expected.pixel_offset;
  packet.pixels = {pixels, expected.pixel_bytes};
  return true;
}

void Forecast::begin(unsigned message, std::size_t index, const MediaPacket& packet) {
  start_frame(header_of(message, index, advanced(messages_[message].start, index)), *packet.stamp,
              std::uint32_t{packet.sequence_upper} << 16U | packet.sequence, 1);
}

Forecast::Stretch Forecast::continues_frame(unsigned message, std::size_t index, const ReceivedRun& run) {
  Stretch stretch;
  if (band_of(message, index) == nullptr) return stretch;
  const auto& from = messages_[message];
  const auto start = advanced(from.start, index);
  const auto packets = templates_.packets();
  // The message was aimed at this frame, and the position has not moved in another way meanwhile.
  if (start.packet == 0 || start.packet != next_packet_ || next_packet_ >= packets_) return stretch;
  const std::size_t last = std::min({run.datagrams(), from.packets, index + packets_ - start.packet});
  std::size_t at = index;
  for (std::size_t number = start.packet; at < last; ++at, ++number) {
    const auto& packet = packets[number];
    if (run.bytes_of(at) != packet.bytes() ||
        !templates_.continues(packet, header_of(message, at, {start.frame, number}), first_header_.data(),
                              first_sequence_ + static_cast<std::uint32_t>(number)))
      break;
  }
  stretch.datagrams = at - index;
  if (stretch.datagrams == 0) return stretch;
  const auto& final = packets[start.packet + stretch.datagrams - 1];
  stretch.first_sequence = first_sequence_ + static_cast<std::uint32_t>(start.packet);
  stretch.first_byte = packets[start.packet].pixel_offset;
  stretch.last_byte = final.pixel_offset + final.pixel_bytes;
  next_packet_ += stretch.datagrams;
  return stretch;
}

const wire::RtpHeader& Forecast::frame_header() const {
  return *reinterpret_cast<const wire::RtpHeader*>(first_header_.data());
}

std::span<std::byte> Forecast::datagram(unsigned message, std::size_t index, const ReceivedRun& run) {
  std::byte* const start = staging_.get() + message * DatagramReceiver::run_bytes_max + index * run.datagram_bytes;
  const std::span<std::byte> whole(start, run.bytes_of(index));
  scattered_.clear();
  if (!messages_[message].aimed || messages_[message].gathered || whole.empty()) return whole;
  find_pieces(message, index * run.datagram_bytes, whole.size(), start);
  // The last byte is that of the padding.
  const auto head = std::min(whole.size(), head_bytes_);
  gather(start, 0, head);
  gather(start, whole.size() - 1, whole.size());
  if (is_parity(whole) || !header_ends_within(whole.first(head))) {
    gather(start, 0, whole.size());
    scattered_.clear();
  }
  return whole;
}

// Datagrams are looked at in their order: each begins where, or behind where, the one before did.
void Forecast::find_pieces(unsigned message, std::size_t first, std::size_t bytes, const std::byte* seen) {
  if (found_.message != message || found_.offset > first) found_ = {message, 0, 0};
  const auto& pieces = messages_[message].pieces;
  while (found_.offset + pieces[found_.piece].iov_len <= first) found_.offset += pieces[found_.piece++].iov_len;
  auto piece = found_.piece;
  auto skipped = first - found_.offset;
  for (std::size_t done = 0; done < bytes; ++piece, skipped = 0) {
    const auto length = std::min(pieces[piece].iov_len - skipped, bytes - done);
    scattered_.push_back({seen + done, static_cast<const std::byte*>(pieces[piece].iov_base) + skipped, length});
    done += length;
  }
}

// Bytes [first, last) of the datagram whose pieces have been found.
void Forecast::gather(std::byte* datagram, std::size_t first, std::size_t last) const {
  for (const auto& piece : scattered_) {
    const auto offset = static_cast<std::size_t>(piece.seen - datagram);
    const auto from = std::max(first, offset);
    const auto to = std::min(last, offset + piece.bytes);
    if (from < to) std::memcpy(datagram + from, piece.lies + (from - offset), to - from);
  }
}

void Forecast::rescue(unsigned first, std::span<const ReceivedRun> runs) {
  for (unsigned i = first; i < runs.size(); ++i) {
    if (!messages_[i].aimed || messages_[i].gathered) continue;
    messages_[i].gathered = true;
    std::byte* to = staging_.get() + i * DatagramReceiver::run_bytes_max;
    std::size_t left = runs[i].bytes;
    for (const auto& piece : messages_[i].pieces) {
      const std::size_t bytes = std::min(left, piece.iov_len);
      std::memcpy(to, piece.iov_base, bytes);
      to += bytes;
      left -= bytes;
      if (left == 0) break;
    }
  }
  is_aimed_ = false;
}

bool Forecast::is_new_format(const MediaPacket& packet) const {
  const auto format = pixel_format_of_payload_type(packet.payload_type);
  return packet.stamp && format && format_ != *format;
}

void Forecast::follow(std::span<const std::byte> datagram, const MediaPacket& packet) {
  const auto number = number_of(datagram, packet);
  if (!number) {
    known_ = false;
    return;
  }
  const bool same_stream = known_ && ssrc() == packet.ssrc;
  if (same_stream && timestamp_distance(timestamp(), packet.timestamp) < 0) return;  // reordered
  const auto sequence = std::uint32_t{packet.sequence_upper} << 16U | packet.sequence;
  const bool same_frame = same_stream && timestamp() == packet.timestamp;
  start_frame(datagram.data(), *packet.stamp, sequence - static_cast<std::uint32_t>(*number),
              same_frame ? std::max(next_packet_, *number + 1) : *number + 1);
}

// The number of a packet within its frame; empty for packets of other senders.
std::optional<std::size_t> Forecast::number_of(std::span<const std::byte> datagram, const MediaPacket& packet) {
  const auto format = pixel_format_of_payload_type(packet.payload_type);
  if (!packet.stamp || !format || packet.rows.empty()) return std::nullopt;
  if (format_ != *format && !lay_out(*format)) return std::nullopt;
  const auto number = templates_.number_of(packet);
  MediaPacket same;
  if (!number || datagram.size() < templates_.packets()[*number].header_bytes ||
      !templates_.matches(templates_.packets()[*number], datagram.data(), same))
    return std::nullopt;
  return number;
}

void Forecast::start_frame(const std::byte* header, const FrameStamp& stamp, std::uint32_t first_sequence,
                           std::size_t next_packet) {
  std::memcpy(first_header_.data(), header, wire::before_rows(*format_));
  first_sequence_ = first_sequence;
  next_packet_ = next_packet;
  packets_ = templates_.packets_of(stamp);
  known_ = true;
}

void Forecast::learn_run(unsigned message, std::size_t datagrams) {
  batch_ = message + 1;
  if (!known_ || !messages_[message].aimed) return;
  if (datagrams == expected_run(messages_[message].start)) {
    ++steady_;
    return;
  }
  steady_ = 0;
  run_packets_ = std::clamp<std::size_t>(datagrams, 1, heads_per_message_);
}

}  // namespace lw
