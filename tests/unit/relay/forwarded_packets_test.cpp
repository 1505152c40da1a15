// The law of forwarded_packets.h, on random arrivals of two servers' packets: nothing that did not come before is
// refused.
#include "relay/forwarded_packets.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>
#include <tuple>

using namespace lw;
using namespace std::chrono_literals;

namespace {

FrameStamp stamp_of(std::uint32_t sequence, std::uint16_t generation) {
  const auto tick = sequence / 10;
  return {WallTime{tick * 33ms}, tick % 100, generation, static_cast<std::uint16_t>(tick)};
}

}  // namespace

TEST_CASE("a packet is refused only if the same one was added, and always while it is known") {
  std::mt19937 random(GENERATE(1U, 2U, 3U));
  ForwardedPackets packets(256);
  const std::uint32_t first = 0xffff'f000;  // numbers wrap
  using Key = std::tuple<std::uint32_t, std::uint16_t>;
  std::set<Key> added;
  std::map<std::uint32_t, Key> known;  // by place
  std::size_t refused = 0;
  std::uint32_t fast = 0, slow = 0;
  for (int i = 0; i < 20'000; ++i) {
    // Two servers; the one behind is at most 200 packets behind, and at times sends an older generation.
    auto& server = random() % 2 == 0 || fast - slow >= 200 ? slow : fast;
    if (server == slow && slow == fast) ++fast;
    const bool stale = &server == &slow && random() % 20 == 0;
    const auto sequence = first + server++;
    const auto generation = static_cast<std::uint16_t>(stale ? 6 : 7);
    const bool is_new = packets.add(sequence, stamp_of(sequence, generation));
    const Key key{sequence, generation};
    const auto place = known.find(sequence % 256);
    REQUIRE(is_new == (place == known.end() || place->second != key));
    known.insert_or_assign(sequence % 256, key);
    if (added.insert(key).second) REQUIRE(is_new);
    refused += !is_new;
  }
  CHECK(refused > 5'000);
}

TEST_CASE("what is too long ago counts as new, and another stream begins with nothing") {
  ForwardedPackets packets(4);
  for (std::uint32_t sequence = 0; sequence < 4; ++sequence) CHECK(packets.add(sequence, stamp_of(sequence, 1)));
  for (std::uint32_t sequence = 0; sequence < 4; ++sequence) CHECK_FALSE(packets.add(sequence, stamp_of(sequence, 1)));
  CHECK(packets.add(4, stamp_of(4, 1)));
  CHECK(packets.add(0, stamp_of(0, 1)));
  packets.forget();
  CHECK(packets.add(1, stamp_of(1, 1)));
  CHECK(ForwardedPackets(4).add(0, {}));
}
