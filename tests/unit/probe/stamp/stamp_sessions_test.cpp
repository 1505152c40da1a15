// Pins when a stateful reflector's count starts again.
#include "probe/stamp/stamp_sessions.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;

namespace {

const Address sender = Address::parse("10.0.0.1", 4000).value();
constexpr LocalTime start{1h};

StampRequest request(std::uint32_t sequence, std::uint64_t time = 1, std::uint16_t session = 7) {
  return {sequence, time, 1, session};
}

}  // namespace

TEST_CASE("sessions differ by sender, port, identifier and this host's address") {
  StampSessions sessions;
  sessions.of(sender, "a", request(0), start).received = 5;
  CHECK(sessions.of(sender, "a", request(1), start).received == 5);
  CHECK(sessions.of(sender, "b", request(1), start).received == 0);
  CHECK(sessions.of(sender.with_port(4001), "a", request(1), start).received == 0);
  CHECK(sessions.of(Address::parse("10.0.0.2", 4000).value(), "a", request(1), start).received == 0);
  CHECK(sessions.of(sender, "a", request(1, 1, 8), start).received == 0);
  CHECK(sessions.count() == 5);
}

TEST_CASE("a session starts again with number 0, but not with a copy of its first packet") {
  StampSessions sessions;
  sessions.of(sender, "a", request(0, 100), start).received = 5;
  CHECK(sessions.of(sender, "a", request(0, 100), start + 1s).received == 5);
  CHECK(sessions.of(sender, "a", request(0, 200), start + 2s).received == 0);
}

TEST_CASE("a session that was idle for long starts again") {
  StampSessions sessions;
  sessions.of(sender, "a", request(5), start).received = 5;
  CHECK(sessions.of(sender, "a", request(6), start + StampSessions::idle_max).received == 5);
  CHECK(sessions.of(sender, "a", request(7), start + 3 * StampSessions::idle_max).received == 0);
}

TEST_CASE("the session that was idle the longest makes room") {
  StampSessions sessions;
  for (std::uint16_t i = 0; i < StampSessions::most; ++i)
    sessions.of(sender, "a", request(1, 1, i), start + std::chrono::microseconds{i}).received = 1;
  sessions.of(sender, "a", request(2, 1, 0), start + 1s);
  CHECK(sessions.of(sender, "a", request(1, 1, 5000), start + 2s).received == 0);
  CHECK(sessions.count() == StampSessions::most);
  CHECK(sessions.of(sender, "a", request(3, 1, 0), start + 3s).received == 1);
  CHECK(sessions.of(sender, "a", request(3, 1, 1), start + 4s).received == 0);
}
