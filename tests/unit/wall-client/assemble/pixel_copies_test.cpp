// Pins the laws of moving pixels within memory that holds them: afterwards each piece is where it was to go, as if all
// had moved at the same moment; each byte is copied once, except where pieces change places.
#include "wall-client/assemble/pixel_copies.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

using namespace lw;

namespace {

struct Move {
  std::size_t to = 0;
  std::size_t from = 0;
  std::size_t bytes = 0;
};

struct Memory {
  std::vector<std::byte> bytes;
  PixelCopies copies;

  Memory(std::size_t size, unsigned seed) : bytes(size), copies(size) {
    std::minstd_rand random(seed);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random() >> 8U);
  }
  // Makes the moves and checks the laws; how many bytes had to be put aside.
  std::uint64_t make(const std::vector<Move>& moves) {
    auto expected = bytes;
    std::uint64_t moved = 0;
    for (const auto& move : moves) {
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(move.from), move.bytes,
                  expected.begin() + static_cast<std::ptrdiff_t>(move.to));
      if (move.to != move.from) moved += move.bytes;
    }
    const auto copied_before = copies.copied_bytes();
    const auto aside_before = copies.aside_bytes();
    for (const auto& move : moves) copies.add(bytes.data() + move.to, bytes.data() + move.from, move.bytes);
    copies.make();
    REQUIRE(bytes == expected);
    REQUIRE(copies.copied_bytes() - copied_before == moved);
    return copies.aside_bytes() - aside_before;
  }
};

// Memory cut into pieces of random sizes.
std::vector<Move> cut(std::size_t size, std::minstd_rand& random) {
  std::vector<Move> pieces;
  for (std::size_t at = 0; at < size;) {
    const auto bytes = std::min<std::size_t>(size - at, 1 + random() / 7 % 200);
    pieces.push_back({at, at, bytes});
    at += bytes;
  }
  return pieces;
}

}  // namespace

TEST_CASE("pieces in any new order end where they belong, and no more than half are put aside") {
  const unsigned seed = GENERATE(range(1U, 41U));
  INFO(seed);
  std::minstd_rand random(seed);
  constexpr std::size_t size = 5000;
  Memory memory(size, seed);
  auto moves = cut(size, random);
  std::shuffle(moves.begin(), moves.end(), random);
  std::size_t at = 0;
  for (auto& move : moves) {
    move.to = at;
    at += move.bytes;
  }
  std::erase_if(moves, [&](const Move&) { return random() / 5 % 4 == 0; });
  std::shuffle(moves.begin(), moves.end(), random);
  CHECK(memory.make(moves) <= size / 2);
}

TEST_CASE("behind a gap, or what was not expected, each byte is copied once") {
  const unsigned seed = GENERATE(range(1U, 21U));
  INFO(seed);
  std::minstd_rand random(seed);
  constexpr std::size_t size = 6000;
  constexpr std::size_t most = 1500;
  Memory memory(size, seed);
  // Each loss moves what follows further up; each packet too many moves it down, which a later loss moves back.
  std::size_t behind = 0;
  const bool losses = seed % 2 == 0;
  std::vector<Move> moves;
  for (auto piece : cut(size - most, random)) {
    if (random() / 3 % 4 == 0 && behind + piece.bytes <= most) {
      behind += piece.bytes;  // lost, or not expected
      if (!losses) continue;
    }
    if (losses)
      piece.to += behind;
    else
      piece.to -= behind;
    moves.push_back(piece);
  }
  CHECK(memory.make(moves) == 0);
}

TEST_CASE("a packet too many and a loss in one batch put nothing aside") {
  Memory memory(500, 3);
  // The first 100 bytes are not expected; of what should be at 200, nothing came.
  CHECK(memory.make({{0, 100, 100}, {100, 200, 50}, {350, 300, 50}, {400, 350, 100}}) == 0);
}

TEST_CASE("two pieces that change places cost one of them a second copy, and no other piece") {
  Memory memory(1000, 4);
  CHECK(memory.make({{0, 100, 100}, {100, 0, 100}, {300, 200, 100}, {400, 300, 100}, {600, 600, 100}}) == 100);
}

TEST_CASE("a scattered packet is copied from where its pieces lie") {
  std::vector<std::byte> memory(300);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7);
  const auto before = memory;
  std::vector<std::byte> seen(100);  // its bytes are not there
  std::byte* const base = memory.data();
  const std::array pieces{ScatteredPiece{seen.data(), base + 200, 40}, ScatteredPiece{seen.data() + 40, base + 10, 60}};
  PixelCopies copies(1000);
  copies.begin_packet(pieces);
  copies.add(base + 100, seen.data() + 20, 70);
  copies.begin_packet({});
  copies.add(base + 0, base + 250, 10);
  copies.make();
  CHECK(std::equal(base + 100, base + 120, before.data() + 220));
  CHECK(std::equal(base + 120, base + 170, before.data() + 10));
  CHECK(std::equal(base, base + 10, before.data() + 250));
  CHECK(copies.copied_bytes() == 80);
}
