// Pins that servers derive the same numbers from a start, and that each start and each flow has its own.
#include "server/send/stream_numbers.h"

#include <catch2/catch.hpp>

#include <set>

using namespace lw;

TEST_CASE("servers that know the start choose the same streams, except for their resends") {
  const auto start = WallStart::random();
  const auto first = StreamNumbers::of(start, 7, "first");
  const auto second = StreamNumbers::of(start, 7, "second");
  CHECK(first.ssrc == second.ssrc);
  CHECK(first.first_sequence == second.first_sequence);
  CHECK(first.parity_ssrc == second.parity_ssrc);
  CHECK(first.first_parity == second.first_parity);
  CHECK(first.resend_ssrc != second.resend_ssrc);
  CHECK(first.first_sequence <= 0xffffU);
}

TEST_CASE("flows and starts have different streams") {
  std::set<std::uint32_t> ssrcs;
  for (int starts = 0; starts < 8; ++starts) {
    const auto start = WallStart::random();
    for (unsigned flow = 0; flow < 64; ++flow) {
      const auto numbers = StreamNumbers::of(start, flow, "server");
      ssrcs.insert({numbers.ssrc, numbers.resend_ssrc, numbers.parity_ssrc});
    }
  }
  CHECK(ssrcs.size() > 8 * 64 * 3 - 3);  // that two of 1536 random numbers of 32 bits are equal has a chance of 0.03 %
}

TEST_CASE("the numbers are HMAC-SHA256 of the secret and the flow's name") {
  // Python: hmac.new(bytes(range(32)), b"flow 5", "sha256").hexdigest()
  WallStart start;
  for (std::size_t i = 0; i < start.secret.size(); ++i) start.secret[i] = static_cast<std::byte>(i);
  const auto numbers = StreamNumbers::of(start, 5, "s");
  CHECK(numbers.ssrc == 0x6fc37dcb);
  CHECK(numbers.first_sequence == 0xba80);
  CHECK(numbers.parity_ssrc == 0xd92e1320);
}

TEST_CASE("a start is written as 64 digits and read back, and nothing else is read") {
  const auto start = WallStart::random();
  CHECK(start.text().size() == 64);
  CHECK(WallStart::parse(start.text()) == start);
  CHECK_FALSE(WallStart::parse("").has_value());
  CHECK_FALSE(WallStart::parse(start.text() + "0").has_value());
  CHECK_FALSE(WallStart::parse(std::string(63, '0') + "g").has_value());
  CHECK_FALSE(WallStart::parse(std::string(63, '0') + "A").has_value());
}
