#include "common/wire/media_packet.h"

#include "common/wire/internet_checksum.h"
#include "common/wire/layer_bytes.h"
#include "common/wire/ntp_time.h"
#include "common/wire/relayed.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <utility>

namespace lw {
namespace {

using wire::FrameExtensions;
using wire::RowHeader;
using wire::RtpHeader;

template <class T>
const T* overlay(std::span<const std::byte> bytes, std::size_t offset) {
  static_assert(alignof(T) == 1 && std::is_trivially_copyable_v<T>);
  if (bytes.size() < offset + sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(bytes.data() + offset);
}

template <class T>
T load_big(const std::byte* bytes) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(static_cast<std::uint64_t>(value) << 8U | std::to_integer<T>(bytes[i]));
  return value;
}

constexpr std::uint16_t extension_words = (sizeof(FrameExtensions) - 4) / 4;
// The heads of the two elements: id, and length less one.
constexpr std::uint8_t ntp_element = wire::ntp_extension_id << 4U | 7U;
constexpr std::uint8_t frame_element = wire::frame_extension_id << 4U | 9U;
constexpr std::size_t check_offset = sizeof(RtpHeader) + offsetof(FrameExtensions, check);
// All bytes that differ between a frame's packets are outside of these, except the check itself.
constexpr std::size_t frame_begin = offsetof(RtpHeader, timestamp);
constexpr std::size_t frame_end = check_offset;
static_assert(frame_begin % 2 == 0 && frame_end % 2 == 0 && wire::fixed_bytes == check_offset + 4);

// RFC 8285 section 4.2: one-byte headers; id 0 is padding, id 15 ends the list. Unknown elements are skipped.
std::string_view read_extensions(std::span<const std::byte> elements, MediaPacket& out) {
  std::size_t at = 0;
  while (at < elements.size()) {
    const auto head = std::to_integer<unsigned>(elements[at]);
    const unsigned id = head >> 4U;
    const std::size_t length = (head & 0xfU) + 1;
    if (id == 0) {
      ++at;
      continue;
    }
    if (id == 15) break;
    if (at + 1 + length > elements.size()) return "header extension element runs past its end";
    const std::byte* data = elements.data() + at + 1;
    if (id == wire::ntp_extension_id && length == 8) out.media_time = from_ntp(load_big<std::uint64_t>(data));
    if (id == wire::frame_extension_id && length == 10)
      out.stamp = FrameStamp{WallTime{}, load_big<std::uint32_t>(data), load_big<std::uint16_t>(data + 4),
                             load_big<std::uint16_t>(data + 6)};
    at += 1 + length;
  }
  if (out.stamp && !out.media_time) return "frame number without media time";
  if (out.stamp) out.stamp->media_time = *out.media_time;
  return {};
}

wire::LengthHeader lengths_of(const FrameStamp& frame) {
  wire::LengthHeader lengths;
  lengths.used = frame.used;
  lengths.packets_before = frame.packets_before;
  return lengths;
}

void read_lengths(const wire::LengthHeader& lengths, FrameStamp& frame) {
  frame.used = lengths.used.value();
  frame.packets_before = lengths.packets_before.value();
}

// RFC 4175 section 4: row headers up to the first without the continuation bit, then their pixels.
std::string_view read_rows(std::span<const std::byte> payload, MediaPacket& out) {
  if (payload.size() < 2) return "no extended sequence number";
  out.sequence_upper = load_big<std::uint16_t>(payload.data());
  std::size_t before = 2;
  if (const auto format = pixel_format_of_payload_type(out.payload_type); format && info(*format).varies_in_length()) {
    const auto* lengths = overlay<wire::LengthHeader>(payload, before);
    if (lengths == nullptr) return "no length of its frame";
    if (!out.stamp) return "a format of our own without a frame number";
    read_lengths(*lengths, *out.stamp);
    if (out.stamp->used == 0) return "a frame without octets";
    before += sizeof(wire::LengthHeader);
  }
  std::size_t count = 0;
  std::size_t pixel_bytes = 0;
  for (bool more = true; more; ++count) {
    const auto* row = overlay<RowHeader>(payload, before + count * sizeof(RowHeader));
    if (row == nullptr) return "row headers run past the packet";
    pixel_bytes += row->length.value();
    more = (row->more_offset.value() & 0x8000U) != 0;
  }
  const std::size_t head = before + count * sizeof(RowHeader);
  if (payload.size() - head < pixel_bytes) return "fewer pixels than the row headers announce";
  out.rows = {reinterpret_cast<const RowHeader*>(payload.data() + before), count};
  out.pixels = payload.subspan(head, pixel_bytes);
  return {};
}

bool is_resend(std::uint8_t payload_type) {
  return payload_type >= wire::resend_payload_types &&
         pixel_format_of_payload_type(static_cast<std::uint8_t>(payload_type - wire::resend_payload_types)).has_value();
}

// Writes the values that all packets of a frame have in common.
void write_stamp(std::byte* header, const FrameStamp& frame, std::uint32_t timestamp, std::uint64_t ntp) {
  reinterpret_cast<RtpHeader*>(header)->timestamp = timestamp;
  auto* extensions = reinterpret_cast<FrameExtensions*>(header + sizeof(RtpHeader));
  extensions->ntp = ntp;
  extensions->frame = frame.frame;
  extensions->generation = frame.generation;
  extensions->tick = frame.tick;
}

bool has_marker(const std::byte* header) {
  return (reinterpret_cast<const RtpHeader*>(header)->marker_payload_type & wire::marker_bit) != 0;
}

std::uint32_t used_of(const std::byte* header) {
  return reinterpret_cast<const wire::LengthHeader*>(header + wire::fixed_bytes)->used.value();
}

void set_marker(std::byte* header, bool marker) {
  auto& octet = reinterpret_cast<RtpHeader*>(header)->marker_payload_type;
  octet = static_cast<std::uint8_t>(marker ? octet | wire::marker_bit : octet & ~wire::marker_bit);
}

void write_check(std::byte* header, std::uint32_t sum_of_others) {
  reinterpret_cast<FrameExtensions*>(header + sizeof(RtpHeader))->check =
      static_cast<std::uint16_t>(~folded(sum_of_others));
}

// Of pixels [at, at + length) of a band, within a row.
RowHeader row_header(const PixelFormatInfo& pixel, std::size_t row_size, std::size_t at, std::size_t length) {
  RowHeader row{};
  row.length = static_cast<std::uint16_t>(length);
  row.field_line = static_cast<std::uint16_t>(at / row_size);
  row.more_offset = static_cast<std::uint16_t>(at % row_size / pixel.group_bytes * pixel.group_pixels);
  return row;
}

// Of a packet with our layout whose header, with the rows' headers, has this many bytes.
void renew_check(std::byte* packet, std::size_t head) {
  write_check(packet,
              sum_of_words(packet, check_offset) + sum_of_words(packet + check_offset + 2, head - check_offset - 2));
}

}  // namespace

bool MediaPacket::begins_frame() const {
  return !rows.empty() && rows.front().line() == 0 && rows.front().pixel_offset() == 0;
}

std::string_view parse_media_packet(std::span<const std::byte> datagram, MediaPacket& out) {
  const auto* rtp = overlay<RtpHeader>(datagram, 0);
  if (rtp == nullptr) return "shorter than an RTP header";
  const auto flags = rtp->version_padding_extension_count;
  if (flags >> 6U != 2) return "not RTP version 2";
  out = MediaPacket{};
  out.marker = (rtp->marker_payload_type & wire::marker_bit) != 0;
  out.payload_type = rtp->marker_payload_type & 0x7fU;
  out.sequence = rtp->sequence.value();
  out.timestamp = rtp->timestamp.value();
  out.ssrc = rtp->ssrc.value();

  std::size_t end = datagram.size();
  if ((flags & 0x20U) != 0) {
    const auto padding = std::to_integer<std::size_t>(datagram[end - 1]);
    if (padding == 0 || padding > end - sizeof(RtpHeader)) return "padding longer than the packet";
    end -= padding;
  }
  std::size_t at = sizeof(RtpHeader) + std::size_t{flags & 0xfU} * 4;
  if ((flags & 0x10U) != 0) {
    if (at + 4 > end) return "header extension runs past the packet";
    const auto profile = load_big<std::uint16_t>(datagram.data() + at);
    const auto bytes = std::size_t{load_big<std::uint16_t>(datagram.data() + at + 2)} * 4;
    at += 4;
    if (at + bytes > end) return "header extension runs past the packet";
    if (profile == 0xBEDE)
      if (const auto problem = read_extensions(datagram.subspan(at, bytes), out); !problem.empty()) return problem;
    at += bytes;
  }
  if (at > end) return "contributing sources run past the packet";
  if (is_resend(out.payload_type)) {
    if (at + wire::resend_bytes > end) return "no original sequence number";
    out.resent = true;
    out.payload_type = static_cast<std::uint8_t>(out.payload_type - wire::resend_payload_types);
    out.resend_sequence = std::exchange(out.sequence, load_big<std::uint16_t>(datagram.data() + at));
    at += wire::resend_bytes;
  }
  if (const auto problem = read_rows(datagram.subspan(at, end - at), out); !problem.empty()) return problem;
  const auto header_bytes = static_cast<std::size_t>(out.pixels.data() - datagram.data());
  if (out.stamp && !checksum_holds(datagram.data(), header_bytes)) return "header check does not hold";
  return {};
}

bool has_our_layout(std::span<const std::byte> datagram) {
  const auto* rtp = overlay<RtpHeader>(datagram, 0);
  const auto* extensions = overlay<FrameExtensions>(datagram, sizeof(RtpHeader));
  return rtp != nullptr && extensions != nullptr && (rtp->version_padding_extension_count & 0x1fU) == 0x10U &&
         extensions->profile.value() == 0xBEDE && extensions->words.value() == extension_words &&
         extensions->ntp_id_length == ntp_element && extensions->frame_id_length == frame_element;
}

void move_resend(std::span<std::byte> resend, const MediaPacket& packet, std::uint32_t ssrc, std::uint16_t sequence) {
  assert(packet.resent && has_our_layout(resend));
  auto* rtp = reinterpret_cast<RtpHeader*>(resend.data());
  rtp->sequence = sequence;
  rtp->ssrc = ssrc;
  renew_check(resend.data(), static_cast<std::size_t>(packet.pixels.data() - resend.data()));
}

// The number of the original comes before the payload, which begins with the upper half of that number.
std::size_t write_resend(std::span<const std::byte> original, const MediaPacket& packet, std::uint32_t ssrc,
                         std::uint16_t sequence, std::span<std::byte> out) {
  const auto* const rows = reinterpret_cast<const std::byte*>(packet.rows.data());
  const auto format = pixel_format_of_payload_type(packet.payload_type).value_or(PixelFormat::rgb8);
  const auto payload =
      static_cast<std::size_t>(rows - original.data()) - (wire::before_rows(format) - (wire::fixed_bytes - 2));
  const std::size_t bytes = original.size() + wire::resend_bytes;
  assert(out.size() >= bytes && !packet.resent && has_our_layout(original));
  std::memcpy(out.data(), original.data(), payload);
  const wire::big_uint16_buf_t number(packet.sequence);
  std::memcpy(out.data() + payload, &number, sizeof(number));
  std::memcpy(out.data() + payload + wire::resend_bytes, original.data() + payload, original.size() - payload);
  auto* rtp = reinterpret_cast<RtpHeader*>(out.data());
  rtp->sequence = sequence;
  rtp->ssrc = ssrc;
  rtp->marker_payload_type = static_cast<std::uint8_t>(rtp->marker_payload_type + wire::resend_payload_types);
  renew_check(out.data(), static_cast<std::size_t>(packet.pixels.data() - original.data()) + wire::resend_bytes);
  return bytes;
}

std::size_t udp_payload_of_mtu(unsigned mtu, bool ipv6) {
  return mtu - wire::ip_header_bytes(ipv6) - wire::udp_header_bytes;
}

Result<PacketTemplates> PacketTemplates::lay_out(PixelFormat format, unsigned width, unsigned rows,
                                                 const PacketCut& cut, std::uint32_t ssrc) {
  const auto& pixel = info(format);
  const std::size_t row_size = row_bytes(format, width);
  if (rows == 0)
    return Error{"a flow has no row of " + std::string(pixel.name) + " blocks", "lower [streaming] flows_per_tile"};
  const Error no_room{
      "an MTU that leaves " + std::to_string(cut.datagram_max) + " bytes of UDP payload has no room for a pixel",
      "raise [streaming] mtu"};
  PacketTemplates result;
  result.format_ = format;
  result.row_size_ = row_size;
  const auto before_rows = wire::before_rows(format);
  if (cut.layout == PacketLayout::in_slots) {
    result.slots_ = PacketSlots::of(format, width, rows, cut.slot_bytes());
    if (!result.slots_) return no_room;
    result.datagram_bytes_ = result.slots_->slot_bytes();
    result.cut_to_slots(pixel, row_size, ssrc);
    return result;
  }
  if (cut.datagram_max < before_rows + sizeof(RowHeader) + pixel.group_bytes) return no_room;
  // The common size: as large as the path allows, and such that a packet with one row header needs no padding.
  const std::size_t one_row = cut.datagram_max - before_rows - sizeof(RowHeader);
  result.datagram_bytes_ = before_rows + sizeof(RowHeader) + one_row / pixel.group_bytes * pixel.group_bytes;
  result.cut_by_rows(pixel, row_size, row_size * rows, ssrc);
  return result;
}

// Takes rows until the packet is full: every further row costs a header.
void PacketTemplates::cut_by_rows(const PixelFormatInfo& pixel, std::size_t row_size, std::size_t band_bytes,
                                  std::uint32_t ssrc) {
  std::vector<RowHeader> row_headers;
  for (std::size_t at = 0; at < band_bytes;) {
    row_headers.clear();
    const auto first = at;
    std::size_t room = datagram_bytes_ - before_rows();
    while (at < band_bytes && room >= sizeof(RowHeader) + pixel.group_bytes) {
      const std::size_t fits = (room - sizeof(RowHeader)) / pixel.group_bytes * pixel.group_bytes;
      const std::size_t length = std::min(row_size - at % row_size, fits);
      row_headers.push_back(row_header(pixel, row_size, at, length));
      at += length;
      room -= sizeof(RowHeader) + length;
    }
    const bool last = at == band_bytes;
    add(pixel, row_headers, first, at - first, last ? 0 : room, last, ssrc);
  }
}

// All packets have the same number of row headers: where the pixels are of fewer rows, the longest pieces are halved.
void PacketTemplates::cut_to_slots(const PixelFormatInfo& pixel, std::size_t row_size, std::uint32_t ssrc) {
  std::vector<std::size_t> lengths;
  std::vector<RowHeader> row_headers;
  for (std::size_t first = 0; first < slots_->frame_bytes(); first += slots_->pixel_bytes()) {
    const auto end = std::min(first + slots_->pixel_bytes(), slots_->frame_bytes());
    lengths.clear();
    for (auto at = first; at < end; at += lengths.back())
      lengths.push_back(std::min(row_size - at % row_size, end - at));
    const auto groups = (end - first) / pixel.group_bytes;
    while (lengths.size() < std::min(slots_->row_headers(), groups)) {
      const auto longest = std::ranges::max_element(lengths);
      const auto half = *longest / pixel.group_bytes / 2 * pixel.group_bytes;
      *longest -= half;
      lengths.insert(longest + 1, half);
    }
    row_headers.clear();
    auto at = first;
    for (const auto length : lengths) {
      row_headers.push_back(row_header(pixel, row_size, at, length));
      at += length;
    }
    const bool last = end == slots_->frame_bytes();
    add(pixel, row_headers, first, end - first, last ? 0 : slots_->padding_bytes(), last, ssrc);
  }
}

void PacketTemplates::add(const PixelFormatInfo& pixel, std::span<const RowHeader> rows, std::size_t pixel_offset,
                          std::size_t pixel_bytes, std::size_t padding_bytes, bool last, std::uint32_t ssrc) {
  Packet packet{.header_offset = static_cast<std::uint32_t>(headers_.size()),
                .pixel_offset = static_cast<std::uint32_t>(pixel_offset)};
  packet.pixel_bytes = static_cast<std::uint16_t>(pixel_bytes);
  packet.padding_bytes = static_cast<std::uint16_t>(padding_bytes);
  packet.header_bytes = static_cast<std::uint16_t>(before_rows() + rows.size_bytes());

  RtpHeader rtp{};
  rtp.version_padding_extension_count = static_cast<std::uint8_t>(0x80U | (padding_bytes > 0 ? 0x20U : 0U) | 0x10U);
  rtp.marker_payload_type =
      static_cast<std::uint8_t>((last && !pixel.varies_in_length() ? wire::marker_bit : 0U) | pixel.payload_type);
  rtp.ssrc = ssrc;
  FrameExtensions extensions{};
  extensions.profile = 0xBEDE;
  extensions.words = extension_words;
  extensions.ntp_id_length = ntp_element;
  extensions.frame_id_length = frame_element;

  headers_.resize(headers_.size() + packet.header_bytes + padding_bytes);
  std::byte* header = headers_.data() + packet.header_offset;
  std::memcpy(header, &rtp, sizeof(rtp));
  std::memcpy(header + sizeof(rtp), &extensions, sizeof(extensions));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto row = rows[i];
    if (i + 1 < rows.size()) row.more_offset = static_cast<std::uint16_t>(row.more_offset.value() | 0x8000U);
    std::memcpy(header + before_rows() + i * sizeof(row), &row, sizeof(row));
  }
  // RFC 3550 section 5.1: the last byte of the padding is its length.
  if (padding_bytes > 0) headers_.back() = static_cast<std::byte>(padding_bytes);
  if (!packets_.empty()) packet.padding_before = packets_.back().padding_before + packets_.back().padding_bytes;
  packet.constant_sum =
      sum_of_words(header, 2) + sum_of_words(header + before_rows(), packet.header_bytes - before_rows());
  payload_bytes_ += packet.header_bytes - (wire::fixed_bytes - 2) + packet.pixel_bytes;
  packets_.push_back(packet);
}

std::size_t PacketTemplates::packets_for(std::size_t used) const {
  if (used == 0) return packets_.size();
  // All but the last have the same number of octets in slots, nearly the same in rows.
  const auto beyond = std::ranges::lower_bound(packets_, used, {}, &Packet::pixel_offset);
  return static_cast<std::size_t>(beyond - packets_.begin());
}

// Headers with their padding, and pixels, are contiguous.
PacketTemplates::Octets PacketTemplates::octets(std::size_t first, std::size_t count) const {
  if (count == 0) return {};
  const auto& from = packets_[first];
  const auto& last = packets_[first + count - 1];
  Octets octets;
  octets.pixels = last.pixel_offset + last.pixel_bytes - from.pixel_offset;
  octets.datagrams = octets.pixels + last.header_offset + last.header_bytes + last.padding_bytes - from.header_offset;
  const auto padding = last.padding_before + last.padding_bytes - from.padding_before;
  octets.payload = octets.datagrams - padding - count * (wire::fixed_bytes - 2);
  return octets;
}

// The values that all packets of a frame have in common.
struct PacketTemplates::CommonStamp {
  CommonStamp(const PacketTemplates& templates, const FrameStamp& of)
      : frame(of), ntp(to_ntp(of.media_time)), timestamp(rtp_timestamp(of.media_time)) {
    if (!info(templates.format()).varies_in_length()) return;
    lengths = lengths_of(of);
    last = &templates.packets()[templates.packets_of(of) - 1];
  }

  // Stamps a packet's header, whose other bytes are there.
  void write(std::byte* header, const Packet& packet, std::uint32_t sequence) {
    write_stamp(header, frame, timestamp, ntp);
    reinterpret_cast<RtpHeader*>(header)->sequence = static_cast<std::uint16_t>(sequence);
    const auto upper = wire::big_uint16_buf_t(static_cast<std::uint16_t>(sequence >> 16U));
    std::memcpy(header + wire::fixed_bytes - sizeof(upper), &upper, sizeof(upper));
    if (sum == 0) sum = sum_of_words(header + frame_begin, frame_end - frame_begin) + sum_of_lengths();
    std::uint32_t of_packet = packet.constant_sum;
    if (lengths) {
      std::memcpy(header + wire::fixed_bytes, &*lengths, sizeof(*lengths));
      set_marker(header, &packet == last);
      of_packet += &packet == last ? wire::marker_bit : 0U;
    }
    write_check(header, sum + of_packet + (sequence & 0xffffU) + (sequence >> 16U));
  }
  [[nodiscard]] std::uint32_t sum_of_lengths() const {
    return lengths ? sum_of_words(reinterpret_cast<const std::byte*>(&*lengths), sizeof(*lengths)) : 0;
  }

  const FrameStamp& frame;
  const std::uint64_t ntp;
  const std::uint32_t timestamp;
  std::optional<wire::LengthHeader> lengths;  // of a format that varies in length
  const Packet* last = nullptr;               // of such a frame: has the marker
  std::uint32_t sum = 0;                      // of the bytes that all packets have in common: computed once
};

void PacketTemplates::stamp(const FrameStamp& frame, std::uint32_t sequence, std::size_t first, std::size_t count) {
  CommonStamp common(*this, frame);
  for (const auto& packet : packets().subspan(first, std::min(count, packets_.size() - first)))
    common.write(headers_.data() + packet.header_offset, packet, sequence++);
}

void PacketTemplates::write_around(std::byte* band, const FrameStamp& frame, std::uint32_t sequence, std::size_t first,
                                   std::size_t count) const {
  CommonStamp common(*this, frame);
  for (std::size_t i = first; i < first + count; ++i) {
    const auto& packet = packets_[i];
    std::byte* const slot = band + slots_->slot(i);
    std::memcpy(slot, header(packet), packet.header_bytes);
    common.write(slot, packet, sequence++);
    std::memcpy(slot + packet.header_bytes + packet.pixel_bytes, padding(packet), packet.padding_bytes);
  }
}

std::size_t PacketTemplates::write_resend(const Packet& packet, const FrameStamp& frame, std::uint32_t original,
                                          std::uint32_t ssrc, std::uint16_t sequence, std::span<std::byte> out) const {
  constexpr std::size_t before = wire::fixed_bytes - 2;  // the original's number follows the extensions
  const std::size_t bytes = packet.header_bytes + wire::resend_bytes;
  assert(out.size() >= bytes);
  std::byte* to = out.data();
  std::memcpy(to, header(packet), before);
  std::memcpy(to + before + wire::resend_bytes, header(packet) + before, packet.header_bytes - before);
  const wire::big_uint16_buf_t numbers[] = {wire::big_uint16_buf_t(static_cast<std::uint16_t>(original)),
                                            wire::big_uint16_buf_t(static_cast<std::uint16_t>(original >> 16U))};
  std::memcpy(to + before, numbers, sizeof(numbers));
  if (varies()) {
    const auto lengths = lengths_of(frame);
    std::memcpy(to + wire::fixed_bytes + wire::resend_bytes, &lengths, sizeof(lengths));
    set_marker(to, is_last(packet, frame.used));
  }
  write_stamp(to, frame, rtp_timestamp(frame.media_time), to_ntp(frame.media_time));
  auto* rtp = reinterpret_cast<RtpHeader*>(to);
  rtp->sequence = sequence;
  rtp->ssrc = ssrc;
  rtp->marker_payload_type = static_cast<std::uint8_t>(rtp->marker_payload_type + wire::resend_payload_types);
  write_check(to, sum_of_words(to, check_offset) + sum_of_words(to + check_offset + 2, bytes - check_offset - 2));
  return bytes;
}

std::optional<std::size_t> PacketTemplates::starting_at(std::size_t pixel_offset) const {
  const auto found = std::ranges::lower_bound(packets_, pixel_offset, {}, &Packet::pixel_offset);
  if (found == packets_.end() || found->pixel_offset != pixel_offset) return std::nullopt;
  return static_cast<std::size_t>(found - packets_.begin());
}

// The marker of a format that varies in length is where the frame ends.
bool PacketTemplates::has_first_octets(const Packet& packet, const std::byte* header) const {
  const std::byte* mine = this->header(packet);
  const auto differ = header[1] ^ mine[1];
  return header[0] == mine[0] && (varies() ? differ & ~std::byte{wire::marker_bit} : differ) == std::byte{};
}

std::optional<std::size_t> PacketTemplates::number_of(const MediaPacket& packet) const {
  if (packet.rows.empty() || packet.payload_type != info(format_).payload_type) return std::nullopt;
  const auto& row = packet.rows.front();
  const auto& pixel = info(format_);
  return starting_at(row.field_line.value() * row_size_ +
                     row.pixel_offset() / pixel.group_pixels * std::size_t{pixel.group_bytes});
}

bool PacketTemplates::matches(const Packet& packet, const std::byte* header, MediaPacket& out) const {
  const std::byte* mine = this->header(packet);
  const auto* extensions = reinterpret_cast<const FrameExtensions*>(header + sizeof(RtpHeader));
  const auto* my_extensions = reinterpret_cast<const FrameExtensions*>(mine + sizeof(RtpHeader));
  const bool same = has_first_octets(packet, header) && extensions->profile.value() == my_extensions->profile.value() &&
                    extensions->words.value() == my_extensions->words.value() &&
                    extensions->ntp_id_length == my_extensions->ntp_id_length &&
                    extensions->frame_id_length == my_extensions->frame_id_length &&
                    checksum_holds(header, packet.header_bytes) &&
                    std::memcmp(header + before_rows(), mine + before_rows(), packet.header_bytes - before_rows()) == 0;
  if (!same) return false;
  const auto* rtp = reinterpret_cast<const RtpHeader*>(header);
  out = MediaPacket{};
  out.sequence = rtp->sequence.value();
  out.sequence_upper = load_big<std::uint16_t>(header + wire::fixed_bytes - 2);
  out.timestamp = rtp->timestamp.value();
  out.ssrc = rtp->ssrc.value();
  out.payload_type = rtp->marker_payload_type & 0x7fU;
  out.marker = (rtp->marker_payload_type & wire::marker_bit) != 0;
  out.media_time = from_ntp(extensions->ntp.value());
  out.stamp =
      FrameStamp{*out.media_time, extensions->frame.value(), extensions->generation.value(), extensions->tick.value()};
  if (varies()) {
    read_lengths(*reinterpret_cast<const wire::LengthHeader*>(header + wire::fixed_bytes), *out.stamp);
    if (out.stamp->used == 0 || out.marker != is_last(packet, out.stamp->used)) return false;
  }
  out.rows = {reinterpret_cast<const RowHeader*>(header + before_rows()),
              (packet.header_bytes - before_rows()) / sizeof(RowHeader)};
  return true;
}

bool PacketTemplates::continues(const Packet& packet, const std::byte* header, const std::byte* first,
                                std::uint32_t sequence) const {
  const std::byte* mine = this->header(packet);
  const auto* rtp = reinterpret_cast<const RtpHeader*>(header);
  return has_first_octets(packet, header) && rtp->sequence.value() == (sequence & 0xffffU) &&
         std::memcmp(header + frame_begin, first + frame_begin, frame_end - frame_begin) == 0 &&
         load_big<std::uint16_t>(header + wire::fixed_bytes - 2) == sequence >> 16U &&
         (!varies() ||
          (std::memcmp(header + wire::fixed_bytes, first + wire::fixed_bytes, sizeof(wire::LengthHeader)) == 0 &&
           has_marker(header) == is_last(packet, used_of(first)))) &&
         std::memcmp(header + before_rows(), mine + before_rows(), packet.header_bytes - before_rows()) == 0;
}

}  // namespace lw
