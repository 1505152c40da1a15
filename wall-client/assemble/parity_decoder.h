// Rebuilds lost packets of a flow's frames from parity packets (common/fec, common/wire/parity_packet.h), directly in
// the band's buffer. Parity that is not needed is not kept; parity that its group cannot use yet is kept while its band
// is open.
//
// A packet is missing if the band lacks its pixels, whatever the sequence numbers say: a packet that arrived but was
// not placed cannot help to rebuild others. Pure. One thread (the flow's); allocates only when the format changes.
#pragma once

#include "common/base/cache_lines.h"
#include "common/fec/reed_solomon.h"
#include "common/wire/media_packet.h"
#include "common/wire/parity_packet.h"
#include "wall-client/assemble/band_assembler.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lw {

class ParityDecoder {
public:
  // Called for each rebuilt packet with its number.
  using Rebuilt = std::function<void(std::int64_t sequence)>;
  // For bands cut into packets in this way. At most `bands` are open at once.
  ParityDecoder(FecStrength strength, unsigned width, RowRange rows, const PacketCut& cut, std::size_t bands,
                Rebuilt rebuilt);

  enum class Fate : std::uint8_t { taken, not_needed, invalid };
  // A parity packet of the flow; its frame's packets are numbered from `first_sequence`.
  Fate take(const ParityPacket& packet, std::int64_t first_sequence, const BandAssembler& assembler);
  // Packets [first, end) arrived in a frame for which parity may be kept: their groups are worth another look.
  void note(std::uint32_t timestamp, std::int64_t first, std::int64_t end);
  // Puts all packets that can now be rebuilt into the assembler's bands, of groups of which parity or packets came.
  // Their pixels must be in place, and memory at which the kernel was aimed must not be needed any more.
  void rebuild(BandAssembler& assembler);
  // Numbers that each frame takes of a stream of parity in which they follow from the frame, if the format of the
  // packet's frame varies in length, and where the packet is among these that it uses.
  struct Numbers {
    std::size_t index = 0;
    std::size_t packets = 0;
    std::size_t numbers = 0;
  };
  [[nodiscard]] std::optional<Numbers> numbers_of(const ParityPacket& packet);
  // Whether parity of this frame waits for packets.
  [[nodiscard]] bool waits(std::uint32_t timestamp) { return find(timestamp) != nullptr; }
  void restart();

private:
  struct Waiting {  // parity kept for an open band
    bool in_use = false;
    std::uint32_t timestamp = 0;
    std::int64_t first_sequence = 0;
    FecGroups groups;
    std::vector<bool> present;  // by parity number
    std::vector<bool> noted;    // by group: to be looked at
    bool any_noted = false;
    CacheLines symbols;  // each begins on a cache line
  };

  bool lay_out(PixelFormat format);
  Waiting& waiting_of(std::uint32_t timestamp, std::int64_t first_sequence, const FecGroups& groups);
  Waiting* find(std::uint32_t timestamp);
  [[nodiscard]] std::byte* symbol(Waiting& waiting, std::size_t number) const {
    return waiting.symbols.data() + number * cache_line_stride(symbol_bytes_);
  }
  [[nodiscard]] bool is_missing(std::uint32_t timestamp, std::size_t number, const BandAssembler& assembler) const;
  void try_group(Waiting& waiting, std::size_t group, BandAssembler& assembler);

  const FecStrength strength_;
  const unsigned width_;
  const RowRange rows_;
  const PacketCut cut_;
  const Rebuilt rebuilt_;
  std::optional<PixelFormat> format_;
  PacketTemplates templates_;
  FecGroups groups_;  // of the longest frame
  std::size_t symbol_bytes_ = 0;
  std::optional<ReedSolomon> code_;
  std::vector<Waiting> waiting_;
  std::vector<ReedSolomon::Symbol> data_;
  std::vector<ReedSolomon::Parity> parity_;
  std::vector<unsigned> missing_;
};

}  // namespace lw
