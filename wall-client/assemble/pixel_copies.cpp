#include "wall-client/assemble/pixel_copies.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>

namespace lw {
namespace {

// Pieces lie in several blocks of memory: operator< compares only within one.
constexpr std::less<> before;

}  // namespace

// Put aside are at most the pieces that move down, or those that move up.
PixelCopies::PixelCopies(std::size_t batch_bytes)
    : aside_room_(batch_bytes / 2), aside_(std::make_unique_for_overwrite<std::byte[]>(batch_bytes / 2)) {
  pieces_.reserve(pieces_max);
}

void PixelCopies::add(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (scattered_.empty()) return push({to, from, bytes});
  for (const auto& part : scattered_) {
    const auto first = std::max(from, part.seen, before);
    const auto last = std::min(from + bytes, part.seen + part.bytes, before);
    if (before(first, last))
      push({to + (first - from), part.lies + (first - part.seen), static_cast<std::size_t>(last - first)});
  }
}

void PixelCopies::push(const Piece& piece) {
  if (piece.to == piece.from) return;
  if (!pieces_.empty()) {
    auto& last = pieces_.back();
    if (last.to + last.bytes == piece.to && last.from + last.bytes == piece.from) {
      last.bytes += piece.bytes;
      return;
    }
  }
  assert(room() > 0);
  pieces_.push_back(piece);
}

// What moves down goes from the lowest on: it lands below its source, where only sources lie that have moved before.
// What moves up goes from the highest on. So only pieces of one direction can overwrite sources of the other.
void PixelCopies::make() {
  const auto end_of_down =
      std::partition(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return before(piece.to, piece.from); });
  const std::span<Piece> down(pieces_.begin(), end_of_down);
  const std::span<Piece> up(end_of_down, pieces_.end());
  const auto up_hit = overwritten(up, down);
  const auto down_hit = up_hit.empty() ? up_hit : overwritten(down, up);
  if (up_hit.empty()) {
    move_down(down);
    move_up(up);
  } else if (down_hit.empty()) {
    move_up(up);
    move_down(down);
  } else if (bytes_of(up_hit) <= bytes_of(down_hit)) {
    put_aside(up_hit);
    move_down(down);
    move_up(up.first(up.size() - up_hit.size()));
    move_up(up_hit);
  } else {
    put_aside(down_hit);
    move_up(up);
    move_down(down.first(down.size() - down_hit.size()));
    move_down(down_hit);
  }
  pieces_.clear();
}

// Puts those last whose source one of the others would overwrite.
std::span<PixelCopies::Piece> PixelCopies::overwritten(std::span<Piece> pieces, std::span<const Piece> by) {
  const auto is_hit = [&](const Piece& piece) {
    return std::ranges::any_of(by, [&](const Piece& other) {
      return before(other.to, piece.from + piece.bytes) && before(piece.from, other.to + other.bytes);
    });
  };
  const auto hit = std::partition(pieces.begin(), pieces.end(), [&](const Piece& piece) { return !is_hit(piece); });
  return {hit, pieces.end()};
}

void PixelCopies::put_aside(std::span<Piece> pieces) {
  std::size_t used = 0;
  for (auto& piece : pieces) {
    assert(used + piece.bytes <= aside_room_);
    std::memcpy(aside_.get() + used, piece.from, piece.bytes);
    piece.from = aside_.get() + used;
    used += piece.bytes;
  }
  aside_bytes_ += used;
}

void PixelCopies::move_down(std::span<Piece> pieces) {
  std::ranges::sort(pieces, before, &Piece::from);
  move(pieces);
}

void PixelCopies::move_up(std::span<Piece> pieces) {
  std::ranges::sort(
      pieces, [](const std::byte* a, const std::byte* b) { return before(b, a); }, &Piece::from);
  move(pieces);
}

void PixelCopies::move(std::span<const Piece> pieces) {
  for (const auto& piece : pieces) std::memmove(piece.to, piece.from, piece.bytes);
  copied_bytes_ += bytes_of(pieces);
}

std::size_t PixelCopies::bytes_of(std::span<const Piece> pieces) {
  std::size_t bytes = 0;
  for (const auto& piece : pieces) bytes += piece.bytes;
  return bytes;
}

}  // namespace lw
