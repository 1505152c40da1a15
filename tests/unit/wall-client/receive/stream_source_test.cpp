// Pins whom a flow listens to: the first stream of an allowed host until it falls silent, with numbers that do not
// wrap.
#include "wall-client/receive/stream_source.h"

#include <catch2/catch.hpp>

using namespace lw;
using namespace std::chrono_literals;
using Verdict = StreamSource::Verdict;

namespace {

const auto server = Address::parse("10.0.0.1", 5000).value();
const auto stranger = Address::parse("10.0.0.9", 5000).value();
constexpr LocalTime start{1000s};

MediaPacket numbered(std::uint32_t sequence, bool ours) {
  MediaPacket packet;
  packet.sequence = static_cast<std::uint16_t>(sequence);
  packet.sequence_upper = static_cast<std::uint16_t>(sequence >> 16U);
  if (ours) packet.stamp = FrameStamp{};
  return packet;
}

}  // namespace

TEST_CASE("a stream is taken from an allowed host, whatever its port") {
  StreamSource source({Address::parse("10.0.0.1", 0).value()});
  CHECK(source.judge(stranger, 1, start) == Verdict::refused);
  CHECK(!source.ssrc());
  CHECK(source.judge(server, 1, start) == Verdict::changed);
  CHECK(source.judge(server, 1, start + 1ms) == Verdict::ours);
  CHECK(source.judge(stranger, 1, start + 1ms) == Verdict::refused);
  StreamSource open({});
  CHECK(open.judge(stranger, 1, start) == Verdict::changed);
}

TEST_CASE("another stream takes over only from one that has fallen silent") {
  StreamSource source({});
  REQUIRE(source.judge(server, 1, start) == Verdict::changed);
  CHECK(source.judge(server, 2, start + 50ms) == Verdict::refused);
  CHECK(source.judge(server, 1, start + 60ms) == Verdict::ours);
  CHECK(source.judge(server, 2, start + 120ms) == Verdict::refused);
  CHECK(source.judge(server, 2, start + 160ms) == Verdict::changed);
  CHECK(source.ssrc() == 2U);
}

TEST_CASE("sequence numbers go on past their wrap") {
  StreamSource ours({});
  CHECK(ours.unroll_sequence(numbered(0xffff'ffff, true)) == 0xffff'ffff);
  CHECK(ours.unroll_sequence(numbered(0, true)) == 0x1'0000'0000);
  CHECK(ours.unroll_sequence(numbered(0xffff'fffe, true)) == 0xffff'fffe);  // late in order, not 2^32 ahead
  CHECK(ours.unroll_run(1, 100) == 0x1'0000'0001);
  CHECK(ours.unroll_sequence(numbered(101, true)) == 0x1'0000'0065);

  StreamSource others({});  // 16 bits, whatever the upper half says
  CHECK(others.unroll_sequence(numbered(0xffff, false)) == 0xffff);
  CHECK(others.unroll_sequence(numbered(0, false)) == 0x1'0000);
}

TEST_CASE("a new stream counts from its own first number") {
  StreamSource source({});
  REQUIRE(source.judge(server, 1, start) == Verdict::changed);
  CHECK(source.unroll_sequence(numbered(4'000'000'000U, true)) == 4'000'000'000);
  REQUIRE(source.judge(server, 2, start + 1s) == Verdict::changed);
  CHECK(source.unroll_sequence(numbered(5, true)) == 5);
}
