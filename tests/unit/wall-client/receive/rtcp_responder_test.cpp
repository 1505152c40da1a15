// Pins whom a flow's receiver trusts: the host that its stream comes from, and the port that reports came from first.
// An unknown source, even if it knows the stream's SSRC, cannot set where answers go, what is shown, or when.
#include "wall-client/receive/rtcp_responder.h"

#include <catch2/catch.hpp>

#include <array>
#include <string>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t ssrc = 7;

UdpSocket bound(const std::string& host) { return UdpSocket::bind(Address::parse(host, 0).value()).value(); }

struct Responder {
  UdpSocket server = bound("127.0.0.1");
  UdpSocket beside = bound("127.0.0.1");  // on the server's host
  UdpSocket stranger = bound("127.0.0.2");
  StreamSource source{{}};
  Address address = Address::any(false, 0);
  RtcpResponder responder{ports(), "node@host", nullptr, source};
  SequenceTracker sequences;
  WallTime now = WallClock::now();
  std::array<std::byte, rtcp_bytes_max> room{};

  [[nodiscard]] Moment moment() const { return {now, LocalClock::now()}; }

  Responder() {
    REQUIRE(source.judge(Address::parse("127.0.0.1", 5000).value(), ssrc, LocalClock::now()) ==
            StreamSource::Verdict::changed);
    for (std::int64_t sequence = 1; sequence < 10; ++sequence) sequences.take(sequence);
  }
  std::vector<std::unique_ptr<DatagramPort>> ports() {
    auto socket = bound("127.0.0.1");
    address = socket.local_address();
    std::vector<std::unique_ptr<DatagramPort>> result;
    result.push_back(std::make_unique<SocketPort>(std::move(socket)));
    return result;
  }
  void send(const UdpSocket& from, std::size_t bytes) const {
    REQUIRE(sendto(from.fd(), room.data(), bytes, 0, address.raw(), address.raw_bytes()) > 0);
  }
  void report(const UdpSocket& from, std::uint32_t about) {
    send(from, encode(SenderReport{about, now, 1, 1, 1}, "server@host", false, room));
  }
  // Whether this is where the next report goes.
  bool is_told(const UdpSocket& socket) {
    now += 1s;
    responder.step(moment(), sequences, ssrc, 0);
    bool told = false;
    while (socket.receive_now(room)) told = true;
    return told;
  }
};

}  // namespace

TEST_CASE("answers go where the sender's own reports come from") {
  Responder flow;
  flow.report(flow.stranger, ssrc);
  flow.report(flow.beside, ssrc + 1);
  CHECK_FALSE(flow.is_told(flow.stranger));
  CHECK_FALSE(flow.is_told(flow.beside));
  CHECK(flow.responder.refused() == 2);

  flow.report(flow.server, ssrc);
  CHECK(flow.is_told(flow.server));
  flow.report(flow.stranger, ssrc);
  flow.report(flow.beside, ssrc);
  CHECK_FALSE(flow.is_told(flow.beside));
  CHECK(flow.is_told(flow.server));
  while (flow.server.receive_now(flow.room)) {
  }
  flow.responder.ask_for(std::array{std::int64_t{5}}, flow.moment(), flow.sequences, ssrc, 0);
  CHECK(flow.server.receive_now(flow.room));
  CHECK_FALSE(flow.stranger.receive_now(flow.room));
  CHECK(flow.responder.refused() == 4);
}

TEST_CASE("a sender's report is answered as soon as it is read, but at most twice a second") {
  Responder flow;
  const auto is_told_after = [&](Nanoseconds time) {
    flow.now += time;
    flow.responder.hear(ssrc, LocalClock::now());
    flow.responder.step(flow.moment(), flow.sequences, ssrc, 0);
    return flow.server.receive_now(flow.room).has_value();
  };
  CHECK_FALSE(is_told_after(0s));  // looks the first time, and knows nobody to answer
  flow.report(flow.server, ssrc);
  CHECK(is_told_after(1ms));
  flow.report(flow.server, ssrc);
  CHECK_FALSE(is_told_after(499ms));
  CHECK(is_told_after(1ms));
  CHECK_FALSE(is_told_after(900ms));  // nothing came
  CHECK(is_told_after(100ms));
}

TEST_CASE("only the sender decides what is shown, and when") {
  Responder flow;
  TickSet ticks;
  ticks.add(9);
  const PlayoutRamp ramp{flow.now, 80ms, 120ms, 400ms};
  const auto tell = [&](const UdpSocket& from, std::uint32_t about) {
    flow.send(from, encode(about, SyncSubject::committed, {about, ticks}, "server@host", flow.room));
    flow.send(from, encode(about, DelayKept{about, ramp}, "server@host", flow.room));
    flow.responder.hear(ssrc, LocalClock::now());
    return flow.responder.committed() == ticks && flow.responder.delay().has_value();
  };
  CHECK_FALSE(tell(flow.server, ssrc));  // before it reported
  flow.report(flow.server, ssrc);
  REQUIRE(flow.is_told(flow.server));
  CHECK_FALSE(tell(flow.stranger, ssrc));
  CHECK_FALSE(tell(flow.beside, ssrc));
  CHECK_FALSE(tell(flow.server, ssrc + 1));
  flow.responder.hear(ssrc, LocalClock::now());
  CHECK(flow.responder.committed() == TickSet{});
  CHECK_FALSE(flow.responder.delay());
  CHECK(flow.responder.refused() == 8);
  CHECK(tell(flow.server, ssrc));
}

TEST_CASE("only a bounded number of reports is read from a flood") {
  Responder flow;
  const auto began = LocalClock::now();
  const auto bytes = encode(SenderReport{ssrc, flow.now, 1, 1, 1}, "server@host", false, flow.room);
  // No more at once than fits into the socket.
  const auto send_and_read = [&] {
    for (int i = 0; i < 150; ++i) flow.send(flow.stranger, bytes);
    flow.responder.hear(ssrc, LocalClock::now());
  };
  send_and_read();
  CHECK(flow.responder.refused() == 64);
  for (int i = 0; i < 4; ++i) flow.responder.hear(ssrc, LocalClock::now());
  CHECK(flow.responder.refused() == 150);
  for (int round = 0; round < 3; ++round) {
    send_and_read();
    for (int i = 0; i < 4; ++i) flow.responder.hear(ssrc, LocalClock::now());
  }
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(LocalClock::now() - began).count();
  CHECK(flow.responder.refused() >= 400);
  CHECK(flow.responder.refused() <= 400 + 4 * static_cast<std::uint64_t>(milliseconds));
  // Attempts without data cost none of the bound.
  Responder idle;
  for (int i = 0; i < 10'000; ++i) idle.responder.hear(ssrc, LocalClock::now());
  idle.report(idle.server, ssrc);
  CHECK(idle.is_told(idle.server));
}
