// Pins which stream a flow accepts: the first one of an allowed host until it falls silent, with numbers that do not
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

TEST_CASE("a stream is accepted from an allowed host, whatever its first port") {
  StreamSource source({Address::parse("10.0.0.1", 0).value()});
  CHECK(source.judge(stranger, 1, start) == Verdict::refused);
  CHECK(!source.ssrc());
  CHECK(source.judge(server, 1, start) == Verdict::changed);
  CHECK(source.judge(server, 1, start + 1ms) == Verdict::ours);
  CHECK(source.judge(stranger, 1, start + 1ms) == Verdict::refused);
  StreamSource open({});
  CHECK(open.judge(stranger, 1, start) == Verdict::changed);
}

TEST_CASE("a stream keeps its source port, and may change it once the old one is silent") {
  StreamSource source({Address::parse("10.0.0.1", 0).value(), Address::parse("10.0.1.1", 0).value()});
  REQUIRE(source.judge(server, 1, start) == Verdict::changed);
  const auto beside = server.with_port(5002);
  CHECK(source.comes_from(server));
  CHECK_FALSE(source.comes_from(beside));
  CHECK(source.comes_from_host(beside));
  CHECK_FALSE(source.comes_from_host(stranger));
  CHECK(source.judge(beside, 1, start + 50ms) == Verdict::refused);
  CHECK(source.judge(server, 1, start + 60ms) == Verdict::ours);
  CHECK(source.judge(beside, 1, start + 120ms) == Verdict::refused);
  // Another of the server's addresses is not accepted either if the flow has one path.
  CHECK(source.judge(Address::parse("10.0.1.1", 5000).value(), 1, start + 120ms) == Verdict::refused);
  static_cast<void>(source.unroll_sequence(numbered(9, true)));
  CHECK(source.sequence_of(8, server) == 8);
  CHECK_FALSE(source.sequence_of(8, beside));
  CHECK(source.judge(beside, 1, start + 160ms) == Verdict::ours);
  CHECK_FALSE(source.comes_from(server));
  CHECK(source.judge(server, 1, start + 170ms) == Verdict::refused);
}

TEST_CASE("each of two paths has its own host and port") {
  const auto second = Address::parse("10.0.1.1", 5000).value();
  StreamSource source({Address::parse("10.0.0.1", 0).value(), Address::parse("10.0.1.1", 0).value()}, 2);
  REQUIRE(source.judge(second, 1, start) == Verdict::changed);
  CHECK(source.judge(server, 1, start) == Verdict::ours);
  CHECK(source.judge(second, 1, start + 500ms) == Verdict::ours);  // while the other was silent
  CHECK(source.judge(second.with_port(1), 1, start + 501ms) == Verdict::refused);
  CHECK(source.judge(server.with_port(2), 1, start + 501ms) == Verdict::ours);  // came back by another port
  CHECK(source.judge(server, 1, start + 502ms) == Verdict::refused);
  CHECK(source.judge(stranger, 1, start + 900ms) == Verdict::refused);
}

TEST_CASE("parity may be the first that comes by a path, as the stream's own packets may") {
  const auto second = Address::parse("10.0.1.1", 5000).value();
  StreamSource source({Address::parse("10.0.0.1", 0).value(), Address::parse("10.0.1.1", 0).value()}, 2);
  CHECK_FALSE(source.judge_beside(server, 1, start));  // there is no stream yet
  REQUIRE(source.judge(server, 1, start) == Verdict::changed);
  static_cast<void>(source.unroll_sequence(numbered(9, true)));
  CHECK_FALSE(source.judge_beside(second, 2, start));
  CHECK_FALSE(source.judge_beside(stranger, 1, start));
  CHECK_FALSE(source.judge_beside(server.with_port(1), 1, start));
  CHECK_FALSE(source.sequence_of(8, second));
  CHECK(source.judge_beside(second, 1, start));
  CHECK(source.sequence_of(8, second) == 8);
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

TEST_CASE("sequence numbers continue past their wrap") {
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

TEST_CASE("one packet far ahead does not make all later ones too old; two are accepted") {
  StreamSource source({});
  REQUIRE(source.judge(server, 1, start) == Verdict::changed);
  REQUIRE(source.unroll_sequence(numbered(100, true)) == 100);
  CHECK_FALSE(source.unroll_sequence(numbered(1'000'000'000, true)));
  CHECK(source.unroll_sequence(numbered(101, true)) == 101);
  CHECK_FALSE(source.unroll_sequence(numbered(1'000'000'000, true)));  // again: still a single packet
  CHECK(source.unroll_sequence(numbered(65'637, true)) == 65'637);     // as far as an outage is bridged at once
  CHECK_FALSE(source.unroll_sequence(numbered(300'000, true)));
  CHECK(source.unroll_sequence(numbered(300'001, true)) == 300'001);
  // Of frames that take more numbers than they have packets.
  CHECK_FALSE(source.unroll_sequence(numbered(600'000, true)));
  CHECK(source.unroll_sequence(numbered(600'002, true)) == 600'002);
}

TEST_CASE("packets without proof follow one another within a stream") {
  StreamSource source({});
  const auto of = [](std::uint32_t ssrc, std::uint32_t sequence) {
    auto packet = numbered(sequence, false);
    packet.ssrc = ssrc;
    return packet;
  };
  CHECK_FALSE(source.follows_unproven(of(1, 0xffff)));
  CHECK(source.follows_unproven(of(1, 0)));
  CHECK_FALSE(source.follows_unproven(of(1, 2)));
  CHECK_FALSE(source.follows_unproven(of(2, 3)));
  CHECK(source.follows_unproven(of(2, 4)));
}
