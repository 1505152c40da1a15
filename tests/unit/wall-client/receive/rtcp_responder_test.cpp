// Pins whom a flow's receiver trusts: the host its stream comes from, and the port from which reports came first. An
// unknown source, even if it knows the stream's SSRC, cannot set where answers go, what is shown, or when.
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
  RtcpResponder responder;
  SequenceTracker sequences;
  WallTime now = WallClock::now();
  std::array<std::byte, rtcp_bytes_max> room{};

  [[nodiscard]] Moment moment() const { return {now, LocalClock::now()}; }

  explicit Responder(Nanoseconds quiet = RtcpResponder::report_interval)
      : responder(ports(), 1, 1, "node@host", nullptr, source, {}, quiet) {
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
  CHECK_FALSE(is_told_after(0s));  // checks for the first time, and has nobody to answer yet
  flow.report(flow.server, ssrc);
  CHECK(is_told_after(1ms));
  flow.report(flow.server, ssrc);
  CHECK_FALSE(is_told_after(499ms));
  CHECK(is_told_after(1ms));
  CHECK_FALSE(is_told_after(900ms));  // nothing arrived
  CHECK(is_told_after(100ms));
}

TEST_CASE("one of many flows reports less often, and a loss within a second") {
  CHECK(RtcpResponder::quiet_interval(1) == 1s);
  CHECK(RtcpResponder::quiet_interval(16) == 1s);
  CHECK(RtcpResponder::quiet_interval(32) == 2s);
  CHECK(RtcpResponder::quiet_interval(4096) == 3s);
  Responder flow(3s);
  const auto reports_in = [&](int seconds) {
    int told = 0;
    for (int second = 0; second < seconds; ++second) {
      flow.report(flow.server, ssrc);
      flow.sequences.take(flow.sequences.highest() + 1);
      told += flow.is_told(flow.server) ? 1 : 0;
    }
    return told;
  };
  CHECK(reports_in(1) == 1);  // the server learns the round trip
  CHECK(reports_in(30) == 10);
  flow.sequences.take(flow.sequences.highest() + 2);
  CHECK(reports_in(1) == 1);
  CHECK(reports_in(2) == 0);
  CHECK(reports_in(1) == 1);
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

namespace {

// A flow with two paths, of which each has a socket at both ends.
struct TwoPaths {
  std::array<UdpSocket, 2> server{bound("127.0.0.1"), bound("127.0.0.1")};
  std::vector<Address> addresses;
  StreamSource source{{}, 2};
  RtcpResponder responder{ports(), 1, 1, "node@host", nullptr, source};
  std::array<std::byte, rtcp_bytes_max> room{};
  std::array<std::uint32_t, 2> told{};  // when the reports left

  TwoPaths() {
    REQUIRE(source.judge(Address::parse("127.0.0.1", 5000).value(), ssrc, LocalClock::now()) ==
            StreamSource::Verdict::changed);
    for (const std::size_t path : {0U, 1U}) {
      const auto left = WallClock::now();
      told[path] = ntp_middle(left);
      const auto bytes = encode(SenderReport{ssrc, left, 1, 1, 1}, "server@host", false, room);
      const auto& to = addresses[path];
      REQUIRE(sendto(server[path].fd(), room.data(), bytes, 0, to.raw(), to.raw_bytes()) > 0);
      responder.hear(ssrc, LocalClock::now());
    }
  }
  std::vector<std::unique_ptr<DatagramPort>> ports() {
    std::vector<std::unique_ptr<DatagramPort>> result;
    while (result.size() < 2) {
      auto socket = bound("127.0.0.1");
      addresses.push_back(socket.local_address());
      result.push_back(std::make_unique<SocketPort>(std::move(socket)));
    }
    return result;
  }
  // How many packets have arrived by each path since the last call.
  std::array<int, 2> arrived() {
    std::array<int, 2> counts{};
    for (const std::size_t path : {0U, 1U})
      while (server[path].receive_now(room)) ++counts[path];
    return counts;
  }
};

}  // namespace

TEST_CASE("one of two paths is enough for what the server decides by, and for a request that is repeated") {
  TwoPaths flow;
  const std::array both{1, 1};
  flow.responder.tell_held(ssrc, {}, false);
  CHECK(flow.arrived() == both);
  flow.responder.tell_delay_needed(ssrc, 5ms);
  CHECK(flow.arrived() == both);

  SequenceTracker sequences;
  for (const std::int64_t sequence : {1, 2, 4}) sequences.take(sequence);
  const std::array missing{std::int64_t{3}};
  for (int i = 0; i < 2; ++i) flow.responder.ask_for(missing, Moment::now(), sequences, ssrc, 0);
  CHECK(flow.arrived() == both);

  flow.responder.say_goodbye(WallClock::now(), sequences, ssrc);
  CHECK(flow.arrived() == both);
}

TEST_CASE("each report is answered by the path by which it came") {
  TwoPaths flow;
  SequenceTracker sequences;
  for (const std::int64_t sequence : {1, 2, 4}) sequences.take(sequence);
  flow.responder.step(Moment::now(), sequences, ssrc, 0);
  for (const std::size_t path : {0U, 1U}) {
    const auto answer = flow.server[path].receive_now(flow.room);
    REQUIRE(answer);
    RtcpContents contents;
    REQUIRE(parse_rtcp({flow.room.data(), answer->bytes}, ssrc, contents).empty());
    REQUIRE((contents.receiver && contents.receiver->block));
    CHECK(contents.receiver->block->last_sr == flow.told[path]);
  }
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
  // Attempts without data do not count towards the bound.
  Responder idle;
  for (int i = 0; i < 10'000; ++i) idle.responder.hear(ssrc, LocalClock::now());
  idle.report(idle.server, ssrc);
  CHECK(idle.is_told(idle.server));
}

namespace {

struct Report {
  ReportBlock block;
  struct Summary {
    unsigned begin = 0, end = 0;
    std::uint32_t lost = 0;
  };
  std::optional<Summary> summary;  // RFC 3611 section 4.6
};

// Our own parser has no use for summaries.
std::optional<Report::Summary> summary_in(std::span<const std::byte> compound) {
  const auto at = [&](std::size_t offset, unsigned bytes) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value = value << 8U | std::to_integer<std::uint32_t>(compound[offset + i]);
    return value;
  };
  for (std::size_t packet = 0; packet < compound.size(); packet += 4 * (std::size_t{at(packet + 2, 2)} + 1))
    if (at(packet + 1, 1) == 207 && at(packet + 8, 1) == 6)
      return Report::Summary{at(packet + 16, 2), at(packet + 18, 2), at(packet + 20, 4)};
  return std::nullopt;
}

// The newest of them.
std::optional<Report> newest_report(Responder& flow) {
  std::optional<Report> newest;
  while (const auto datagram = flow.server.receive_now(flow.room)) {
    const auto compound = std::span(flow.room).first(datagram->bytes);
    RtcpContents contents;
    REQUIRE(parse_rtcp(compound, std::nullopt, contents).empty());
    if (contents.receiver && contents.receiver->block) newest = Report{*contents.receiver->block, summary_in(compound)};
  }
  return newest;
}

}  // namespace

TEST_CASE("after a restart of the sender reports are about the new stream only") {
  Responder flow;
  flow.sequences.take(13);  // three are lost
  flow.report(flow.server, ssrc);
  flow.responder.step(flow.moment(), flow.sequences, ssrc, 0);
  auto told = newest_report(flow);
  REQUIRE(told);
  REQUIRE(told->summary);
  CHECK(told->summary->begin == 1);
  CHECK(told->summary->end == 14);
  CHECK(told->summary->lost == 3);
  CHECK(told->block.cumulative_lost == 3);

  flow.sequences.begin_stream();
  flow.responder.restart(flow.sequences);
  for (const std::int64_t sequence : {40'000, 40'001, 40'003}) flow.sequences.take(sequence);
  flow.report(flow.server, ssrc);
  flow.now += 1s;
  flow.responder.step(flow.moment(), flow.sequences, ssrc, 0);
  told = newest_report(flow);
  REQUIRE(told);
  REQUIRE(told->summary);
  CHECK(told->summary->begin == 40'000);
  CHECK(told->summary->end == 40'004);
  CHECK(told->summary->lost == 1);
  CHECK(told->block.cumulative_lost == 1);
}

TEST_CASE("a fast flow reports before 16 bits no longer say which packets a summary is about") {
  Responder flow;
  flow.report(flow.server, ssrc);
  flow.responder.step(flow.moment(), flow.sequences, ssrc, 0);
  REQUIRE(newest_report(flow));
  std::int64_t next = 10;
  std::int64_t reported = 9;
  for (int batch = 0; batch < 4000; ++batch, next += 64) {  // 256,000 packets in less than a second
    flow.sequences.take_run(next, 64);
    flow.responder.step(flow.moment(), flow.sequences, ssrc, 0);
    const auto told = newest_report(flow);
    if (!told) continue;
    REQUIRE(told->summary);
    CHECK(told->summary->begin == static_cast<std::uint16_t>(reported + 1));
    CHECK(told->summary->end == static_cast<std::uint16_t>(next + 64));
    CHECK(next + 64 - reported < 65'536);
    reported = next + 63;
  }
  CHECK(next - reported < 65'536);
  // A gap too long for it: no summary rather than a wrong one, and the next one begins behind it.
  flow.sequences.take(next += 100'000);
  flow.responder.step(flow.moment(), flow.sequences, ssrc, 0);
  auto told = newest_report(flow);
  REQUIRE(told);
  CHECK_FALSE(told->summary);
  flow.sequences.take_run(next + 1, 5);
  flow.now += 2s;
  flow.responder.step(flow.moment(), flow.sequences, ssrc, 0);
  told = newest_report(flow);
  REQUIRE(told);
  REQUIRE(told->summary);
  CHECK(told->summary->begin == static_cast<std::uint16_t>(next + 1));
  CHECK(told->summary->lost == 0);
}
