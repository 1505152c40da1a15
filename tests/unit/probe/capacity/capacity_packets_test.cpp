// Pins the packets of a capacity measurement, byte for byte, and that nothing else is taken for one.
#include "probe/capacity/capacity_packets.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t session = 0x0123456789abcdefU;

std::vector<unsigned> values_of(std::span<const std::byte> bytes) {
  std::vector<unsigned> values;
  for (const auto byte : bytes) values.push_back(std::to_integer<unsigned>(byte));
  return values;
}

LoadPacket some_load() { return {0x1122334455667788U & 0x0fffffffffffffffU, LocalTime{1s}, LocalTime{2s}, 3us}; }
StatusPacket some_status() { return {7, 1000, 3, 2, 1, 1500us, std::nullopt, LocalTime{5s}}; }

std::vector<std::byte> load_bytes(const LoadPacket& packet, std::size_t bytes = load_header_bytes) {
  std::vector<std::byte> datagram(bytes, std::byte{0xee});
  write_load(packet, session, std::span(datagram).first<load_header_bytes>());
  return datagram;
}

}  // namespace

TEST_CASE("packets of a capacity measurement have their layout") {
  CHECK(values_of(write_hello(session)) ==
        std::vector<unsigned>{0x4c, 0x57, 0x43, 1, 1, 0, 0, 0, 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef});
  const auto load = load_bytes({0x0102, LocalTime{Nanoseconds{3}}, LocalTime{Nanoseconds{4}}, Nanoseconds{5}});
  for (const auto& [at, value] : {std::pair(4, 2), {23, 2}, {22, 1}, {31, 3}, {39, 4}, {47, 5}})
    CHECK(std::to_integer<int>(load[static_cast<std::size_t>(at)]) == value);
  const auto status = write_status({1, 2, 3, 4, 5, 6us, std::nullopt, LocalTime{Nanoseconds{8}}}, session);
  for (const auto& [at, value] :
       {std::pair(4, 3), {19, 1}, {23, 2}, {27, 3}, {31, 4}, {35, 5}, {39, 6}, {40, 255}, {43, 255}, {55, 8}})
    CHECK(std::to_integer<int>(status[static_cast<std::size_t>(at)]) == value);
}

TEST_CASE("packets of a capacity measurement are read as they were written") {
  CHECK(is_hello(write_hello(session), session));
  CHECK(read_load(load_bytes(some_load(), 1222), session) == some_load());
  const LoadPacket first{0, LocalTime{1s}, {}, 0ns};
  CHECK(read_load(load_bytes(first), session) == first);
  CHECK(read_status(write_status(some_status(), session), session) == some_status());
  auto long_delay = some_status();
  long_delay.one_way_range = 5000s;  // more than 32 bits of microseconds
  CHECK(read_status(write_status(long_delay, session), session)->one_way_range == 4'294'967'294us);
}

TEST_CASE("other datagrams than those of the session are refused") {
  const auto hello = write_hello(session);
  const auto load = load_bytes(some_load());
  const auto status = write_status(some_status(), session);
  CHECK_FALSE(is_hello(hello, session + 1));
  CHECK_FALSE(read_load(load, session + 1));
  CHECK_FALSE(read_status(status, session + 1));
  CHECK_FALSE(is_hello(load, session));
  CHECK_FALSE(read_load(status, session));
  CHECK_FALSE(read_status(load, session));
  CHECK_FALSE(read_load(std::span(load).first(load.size() - 1), session));
  CHECK_FALSE(read_status(std::span(status).first(status.size() - 1), session));
  CHECK_FALSE(is_hello(std::span(hello).first(hello.size() - 1), session));
  auto version_2 = load;
  version_2[3] = std::byte{2};
  CHECK_FALSE(read_load(version_2, session));
  auto number_too_large = load;
  number_too_large[16] = std::byte{0x40};
  CHECK_FALSE(read_load(number_too_large, session));
  auto held_for_ever = load;
  held_for_ever[40] = std::byte{0x7f};
  CHECK_FALSE(read_load(held_for_ever, session));
  auto held_before = load;
  held_before[40] = std::byte{0xff};
  CHECK_FALSE(read_load(held_before, session));
}
