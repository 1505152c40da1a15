// Pins that a relay keeps the newest packets of a flow by their numbers, within a bound.
#include "relay/packet_store.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;

namespace {

std::vector<std::byte> packet(unsigned value, std::size_t bytes) {
  return std::vector<std::byte>(bytes, static_cast<std::byte>(value));
}
bool holds(const PacketStore& store, std::uint32_t sequence, const std::vector<std::byte>& expected) {
  const auto found = store.find(sequence);
  return std::vector<std::byte>(found.begin(), found.end()) == expected;
}

}  // namespace

TEST_CASE("a store has the newest packets of a flow") {
  PacketStore store(8, 100);
  CHECK(store.find(0).empty());
  for (std::uint32_t sequence = 1000; sequence < 1020; ++sequence) store.add(sequence, packet(sequence % 251, 60));
  for (std::uint32_t sequence = 1000; sequence < 1012; ++sequence) CHECK(store.find(sequence).empty());
  for (std::uint32_t sequence = 1012; sequence < 1020; ++sequence)
    CHECK(holds(store, sequence, packet(sequence % 251, 60)));
  store.add(1015, packet(7, 100));  // a duplicate
  CHECK(holds(store, 1015, packet(7, 100)));
  store.add(1016, packet(7, 101));  // too long: the previous one stays
  CHECK(holds(store, 1016, packet(1016 % 251, 60)));
  store.forget();
  CHECK(store.find(1015).empty());
}

TEST_CASE("numbers that wrap keep their places") {
  PacketStore store(8, 100);
  for (std::uint32_t i = 0; i < 8; ++i) store.add(0xffff'fffcU + i, packet(i, 10));
  for (std::uint32_t i = 0; i < 8; ++i) CHECK(holds(store, 0xffff'fffcU + i, packet(i, 10)));
  CHECK(store.find(4).empty());
}
