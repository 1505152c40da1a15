// What a path does to the datagrams of one frame, drawn from a seed.
#pragma once

#include "tests/support/stream.h"

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace lw::truth {

class Random {
public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // 0 .. n - 1
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(engine_() % n); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  bool once_in(std::size_t n) { return below(n) == 0; }
  std::uint32_t word() { return static_cast<std::uint32_t>(engine_() >> 16U); }

private:
  std::mt19937_64 engine_;
};

enum class Change : std::uint8_t {
  none,
  seen,    // the kernel rejects its UDP checksum
  unseen,  // a device changed the packet and recomputed the checksum
};

struct Fate {
  bool lost = false;
  bool dropped = false;  // because the socket is full
  Change change = Change::none;
  Nanoseconds delay{0};
  unsigned copies = 1;
};

// The fate of each datagram. `burst`: how many leave together. `late`: longer than any frame waits.
std::vector<Fate> disturb(std::span<const SentDatagram> frame, std::size_t burst, Nanoseconds late, Random& random);
// Changes some bits: if nothing authenticates the pixels, only bits that the header's own check covers (RFC 1071: a
// burst of less than 16 bits).
void change_bits(SentDatagram& datagram, bool is_proven, Random& random);

}  // namespace lw::truth
