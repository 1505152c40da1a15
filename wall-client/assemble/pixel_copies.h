// Pixels on their way to their place in the bands. After a wrong forecast, packets lie where others belong, and their
// own places may hold packets that nobody has looked at yet. So nothing moves until all packets of a batch are known.
// Then each piece moves once, in an order in which none is overwritten before it has moved.
//
// One thread (the flow's); no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lw {

// A piece of a packet that is treated as if it lay in one piece of memory, although the kernel has scattered it.
struct ScatteredPiece {
  const std::byte* seen = nullptr;  // where it would be
  const std::byte* lies = nullptr;  // where it is
  std::size_t bytes = 0;
};

class PixelCopies {
public:
  static constexpr std::size_t pieces_max = 4096;

  // `batch_bytes`: all pieces together, at most.
  explicit PixelCopies(std::size_t batch_bytes);

  // How the packet lies whose pieces are added next; empty: in one piece. Must stay valid until they are.
  void begin_packet(std::span<const ScatteredPiece> scattered) { scattered_ = scattered; }
  // For pieces that cross others, as rows and slots do: how many can still be added.
  [[nodiscard]] std::size_t room() const { return pieces_max - pieces_.size(); }
  // Sources of different pieces do not overlap.
  void add(std::byte* to, const std::byte* from, std::size_t bytes);
  // Moves all that were added. Only where pieces have changed places with each other, some are put aside first.
  void make();

  // Bytes that make() has copied, and how many of these it had put aside before: they were copied twice.
  [[nodiscard]] std::uint64_t copied_bytes() const { return copied_bytes_; }
  [[nodiscard]] std::uint64_t aside_bytes() const { return aside_bytes_; }

private:
  struct Piece {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::size_t bytes = 0;
  };
  void push(const Piece& piece);
  void put_aside(std::span<Piece> pieces);
  void move_down(std::span<Piece> pieces);
  void move_up(std::span<Piece> pieces);
  void move(std::span<const Piece> pieces);
  static std::span<Piece> overwritten(std::span<Piece> pieces, std::span<const Piece> by);
  static std::size_t bytes_of(std::span<const Piece> pieces);

  std::span<const ScatteredPiece> scattered_;
  std::vector<Piece> pieces_;
  const std::size_t aside_room_;
  std::unique_ptr<std::byte[]> aside_;  // not initialized: what is not needed takes no memory
  std::uint64_t copied_bytes_ = 0;
  std::uint64_t aside_bytes_ = 0;
};

}  // namespace lw
