#include "wall-client/assemble/parity_decoder.h"

#include "common/wire/sequence.h"

#include <algorithm>
#include <cstring>

namespace lw {

ParityDecoder::ParityDecoder(FecStrength strength, unsigned width, RowRange rows, const PacketCut& cut,
                             std::size_t bands, Rebuilt rebuilt)
    : strength_(strength), width_(width), rows_(rows), cut_(cut), rebuilt_(std::move(rebuilt)), waiting_(bands) {
  data_.reserve(strength.data);
  parity_.reserve(strength.parity);
  missing_.reserve(strength.data);
}

bool ParityDecoder::lay_out(PixelFormat format) {
  auto templates = PacketTemplates::lay_out(format, width_, group_rows(format, rows_).count, cut_, 0);
  if (!templates) return false;
  templates_ = std::move(*templates);
  groups_ = FecGroups(templates_.packets().size(), strength_);
  symbol_bytes_ = symbol_bytes_of(templates_);
  code_.emplace(strength_, symbol_bytes_);
  for (auto& waiting : waiting_) {
    waiting.in_use = false;
    waiting.present.assign(groups_.parity_packets(), false);
    waiting.noted.assign(groups_.count(), false);
    waiting.any_noted = false;
    waiting.symbols = CacheLines(groups_.parity_packets() * cache_line_stride(symbol_bytes_));
  }
  format_ = format;
  return true;
}

ParityDecoder::Fate ParityDecoder::take(const ParityPacket& packet, std::int64_t first_sequence,
                                        const BandAssembler& assembler) {
  const auto format = assembler.format_of(packet.timestamp);
  if (!format) return Fate::not_needed;  // its band is complete or finished
  const auto stamp = assembler.stamp_of(packet.timestamp);
  if (stamp && packet.frame_tag != 0 && packet.frame_tag != frame_tag(*stamp)) return Fate::invalid;
  if (format != format_ && !lay_out(*format)) return Fate::invalid;
  const auto groups = info(*format).varies_in_length() ? FecGroups(packet.packets, strength_) : groups_;
  if (packet.varies != info(*format).varies_in_length()) return Fate::invalid;
  if (stamp && packet.packets != templates_.packets_of(*stamp)) return Fate::invalid;
  if (packet.packets > groups_.packets() || packet.packets != groups.packets() || packet.groups != groups.count() ||
      packet.parity != strength_.parity || packet.symbol.size() != symbol_bytes_)
    return Fate::invalid;
  bool needed = false;
  for (std::size_t i = 0; i < groups.size(packet.group) && !needed; ++i)
    needed = is_missing(packet.timestamp, groups.packet(packet.group, i), assembler);
  if (!needed) return Fate::not_needed;

  auto& waiting = waiting_of(packet.timestamp, first_sequence, groups);
  const auto number = groups.parity_number(packet.group, packet.row);
  std::memcpy(symbol(waiting, number), packet.symbol.data(), symbol_bytes_);
  waiting.present[number] = true;
  waiting.noted[packet.group] = waiting.any_noted = true;
  return Fate::taken;
}

std::optional<ParityDecoder::Numbers> ParityDecoder::numbers_of(const ParityPacket& packet) {
  if (!packet.varies) return std::nullopt;
  const bool laid_out = format_ && info(*format_).varies_in_length();
  if ((!laid_out && !lay_out(PixelFormat::lossless)) || packet.packets > groups_.packets()) return std::nullopt;
  const FecGroups groups(packet.packets, strength_);
  if (packet.groups != groups.count() || packet.parity != strength_.parity) return std::nullopt;
  return Numbers{groups.parity_number(packet.group, packet.row), groups.parity_packets(), groups_.parity_packets()};
}

void ParityDecoder::note(std::uint32_t timestamp, std::int64_t first, std::int64_t end) {
  auto* waiting = find(timestamp);
  if (waiting == nullptr) return;
  for (auto sequence = first; sequence < end; ++sequence) {
    const auto index = static_cast<std::size_t>(sequence - waiting->first_sequence);
    if (index < waiting->groups.packets()) waiting->noted[waiting->groups.group_of(index)] = waiting->any_noted = true;
  }
}

void ParityDecoder::rebuild(BandAssembler& assembler) {
  for (auto& waiting : waiting_) {
    if (!waiting.in_use || !waiting.any_noted) continue;
    waiting.any_noted = false;
    for (std::size_t group = 0; group < waiting.groups.count(); ++group) {
      if (!waiting.noted[group]) continue;
      waiting.noted[group] = false;
      if (assembler.format_of(waiting.timestamp) == format_) try_group(waiting, group, assembler);
    }
  }
}

void ParityDecoder::restart() {
  for (auto& waiting : waiting_) waiting.in_use = false;
}

ParityDecoder::Waiting* ParityDecoder::find(std::uint32_t timestamp) {
  for (auto& waiting : waiting_)
    if (waiting.in_use && waiting.timestamp == timestamp) return &waiting;
  return nullptr;
}

// There are as many places as open bands, so the oldest belongs to a finished band. Parity kept from a time that comes
// again (the clock was set back) belongs to other pixels.
ParityDecoder::Waiting& ParityDecoder::waiting_of(std::uint32_t timestamp, std::int64_t first_sequence,
                                                  const FecGroups& groups) {
  auto place = std::ranges::find_if(
      waiting_, [&](const Waiting& waiting) { return waiting.in_use && waiting.timestamp == timestamp; });
  if (place != waiting_.end() && place->first_sequence == first_sequence && place->groups.packets() == groups.packets())
    return *place;
  if (place == waiting_.end()) place = std::ranges::find(waiting_, false, &Waiting::in_use);
  if (place == waiting_.end())
    place = std::ranges::min_element(
        waiting_, {}, [&](const Waiting& waiting) { return timestamp_distance(timestamp, waiting.timestamp); });
  place->in_use = true;
  place->timestamp = timestamp;
  place->first_sequence = first_sequence;
  place->groups = groups;
  std::fill(place->present.begin(), place->present.end(), false);
  std::fill(place->noted.begin(), place->noted.end(), false);
  place->any_noted = false;
  return *place;
}

bool ParityDecoder::is_missing(std::uint32_t timestamp, std::size_t number, const BandAssembler& assembler) const {
  const auto& packet = templates_.packets()[number];
  return !assembler.has_all(timestamp, packet.pixel_offset, packet.pixel_offset + packet.pixel_bytes);
}

void ParityDecoder::try_group(Waiting& waiting, std::size_t group, BandAssembler& assembler) {
  const auto& groups = waiting.groups;
  parity_.clear();
  for (unsigned row = 0; row < strength_.parity; ++row) {
    const auto number = groups.parity_number(group, row);
    if (waiting.present[number]) parity_.push_back({row, symbol(waiting, number)});
  }
  if (parity_.empty()) return;
  missing_.clear();
  for (unsigned i = 0; i < groups.size(group); ++i)
    if (is_missing(waiting.timestamp, groups.packet(group, i), assembler)) missing_.push_back(i);
  if (missing_.empty() || missing_.size() > parity_.size()) return;

  std::byte* const band = assembler.memory_of(waiting.timestamp);
  if (band == nullptr) return;
  data_.clear();
  for (unsigned i = 0; i < groups.size(group); ++i) {
    const auto& packet = templates_.packets()[groups.packet(group, i)];
    const auto& slots = templates_.slots();
    data_.push_back({band + (slots ? slots->place(packet.pixel_offset) : packet.pixel_offset), packet.pixel_bytes});
  }
  code_->decode(data_, missing_, parity_);
  for (const auto position : missing_) {
    const auto number = groups.packet(group, position);
    const auto& packet = templates_.packets()[number];
    assembler.take_rebuilt(waiting.timestamp, packet.pixel_offset, packet.pixel_offset + packet.pixel_bytes);
    rebuilt_(waiting.first_sequence + static_cast<std::int64_t>(number));
  }
}

}  // namespace lw
