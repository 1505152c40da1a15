// Pins which reports a flow's sender accepts: only from its node, only about its own stream, and no more than a flow
// has time for; and that no answer is longer than its request.
#include "server/send/rtcp_reporter.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace lw;

namespace {

constexpr std::uint32_t ssrc = 7;
const auto here = Address::parse("127.0.0.1", 0).value();

struct Reporter {
  UdpSocket node = UdpSocket::bind(here).value();
  UdpSocket stranger = UdpSocket::bind(here).value();
  Address address = here;
  std::array<std::byte, rtcp_bytes_max> room{};
  RtcpReporter reporter{std::make_unique<SocketPort>(connected()), ssrc, "server@a.host.with.a.long.name"};

  UdpSocket connected() {
    auto socket = UdpSocket::bind(here).value();
    address = socket.local_address();
    REQUIRE(socket.connect(node.local_address()).has_value());
    socket.stamp_arrivals();
    return socket;
  }
  void send(const UdpSocket& from, std::size_t bytes) const {
    REQUIRE(sendto(from.fd(), room.data(), bytes, 0, address.raw(), address.raw_bytes()) > 0);
  }
  std::size_t ask_for(std::int64_t sequence, std::uint32_t about) {
    ReportBlock block;
    block.source_ssrc = about;
    block.highest_sequence = 100;
    std::size_t taken = 0;
    return encode(ReceiverReport{1, block, std::nullopt}, "node", std::array{sequence}, room, taken);
  }
  std::size_t say_held(std::uint32_t about) {
    TickSet ticks;
    ticks.add(5);
    return encode(1, SyncSubject::held, {about, ticks}, "node", room);
  }
  std::size_t received_by_node() {
    std::size_t bytes = 0;
    while (const auto datagram = node.receive_now(room)) bytes += datagram->bytes;
    return bytes;
  }
};

// A port on a host whose clocks the test sets: at most one datagram waits there.
struct TimedPort final : DatagramPort {
  int receive(std::span<mmsghdr> /*messages*/, int /*flags*/) override { return -1; }
  ssize_t send(const msghdr& /*message*/, int /*flags*/) override { return -1; }
  int send(std::span<mmsghdr> /*messages*/) override { return -1; }
  bool set(int /*level*/, int /*option*/, const void* /*value*/, socklen_t /*bytes*/) override { return false; }
  [[nodiscard]] int descriptor() const override { return -1; }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) override {
    if (waiting.empty()) return std::nullopt;
    std::ranges::copy(waiting, buffer.begin());
    UdpSocket::Datagram datagram{.bytes = waiting.size(),
                                 .system_arrival = arrived.value_or(system_time()),
                                 .read = system_time(),
                                 .arrival = time.wall,
                                 .source = here};
    waiting.clear();
    return datagram;
  }
  void send_to(const Address& /*peer*/, std::span<const std::byte> /*datagram*/) override {}
  void tell(std::span<const std::byte> datagram) override { told.assign(datagram.begin(), datagram.end()); }
  [[nodiscard]] std::uint32_t drops() const override { return 0; }
  [[nodiscard]] Moment now() const override { return time; }
  [[nodiscard]] SystemTime system_time() const { return SystemTime{time.local.time_since_epoch() + system_less_local}; }

  Moment time = Moment::now();
  Nanoseconds system_less_local = std::chrono::hours{400'000};
  std::vector<std::byte> waiting, told;
  std::optional<SystemTime> arrived;  // the waiting datagram; empty: now
};

}  // namespace

TEST_CASE("a sender listens only to its node") {
  Reporter flow;
  flow.send(flow.stranger, flow.ask_for(42, ssrc));
  CHECK(flow.reporter.receive().empty());
  flow.send(flow.node, flow.ask_for(42, ssrc));
  const auto missing = flow.reporter.receive();
  REQUIRE(missing.size() == 1);
  CHECK(missing[0] == 42);
  CHECK(flow.reporter.refused() == 0);
}

TEST_CASE("a clock that is set between a report and its answer yields no round trip") {
  auto owned = std::make_unique<TimedPort>();
  auto& port = *owned;
  RtcpReporter reporter{std::move(owned), ssrc, "server@host"};
  const auto answer_after = [&](Nanoseconds passed, Nanoseconds set) {
    reporter.step(port.time.wall, 1, 1);
    ReportBlock block;
    block.source_ssrc = ssrc;
    block.last_sr = ntp_middle(port.time.wall);
    port.time.local += passed;
    port.time.wall += passed + set;
    port.waiting.resize(rtcp_bytes_max);
    port.waiting.resize(encode(ReceiverReport{1, block, std::nullopt}, "node", false,
                               std::span<std::byte, rtcp_bytes_max>(port.waiting)));
    static_cast<void>(reporter.receive());
    port.time.local += std::chrono::seconds{2};
    port.time.wall += std::chrono::seconds{2};
  };
  answer_after(std::chrono::milliseconds{40}, std::chrono::hours{2});
  CHECK_FALSE(reporter.round_trip_time());
  answer_after(std::chrono::milliseconds{40}, {});
  REQUIRE(reporter.round_trip_time());
  CHECK(std::chrono::abs(*reporter.round_trip_time() - std::chrono::milliseconds{40}) < std::chrono::microseconds{31});
  answer_after(std::chrono::milliseconds{50}, std::chrono::milliseconds{500});
  CHECK(*reporter.round_trip_time() < std::chrono::milliseconds{41});
}

TEST_CASE("an answer with the time never says that the request came earlier than it did") {
  auto owned = std::make_unique<TimedPort>();
  auto& port = *owned;
  RtcpReporter reporter{std::move(owned), ssrc, "server@host"};
  // What the answer says of a request that waited 2 ms; the system clock was set meanwhile.
  const auto came_late_by = [&](Nanoseconds set) -> std::optional<Nanoseconds> {
    const auto came = port.time.wall;
    port.arrived = port.system_time();
    port.time.local += std::chrono::milliseconds{2};
    port.time.wall += std::chrono::milliseconds{2};
    port.system_less_local += set;
    port.waiting.resize(rtcp_bytes_max);
    port.waiting.resize(
        encode(1, ClockRequest{5, ssrc}, "node@host.with.a.name", std::span<std::byte, rtcp_bytes_max>(port.waiting)));
    port.told.clear();
    static_cast<void>(reporter.receive());
    CHECK(reporter.refused() == 0);
    if (port.told.empty()) return std::nullopt;
    RtcpContents contents;
    REQUIRE(parse_rtcp(port.told, std::nullopt, contents).empty());
    REQUIRE(contents.clock_reply);
    return contents.clock_reply->came - came;
  };
  CHECK(came_late_by(Nanoseconds{0}) == Nanoseconds{0});
  for (const auto set : {std::chrono::milliseconds{1}, std::chrono::milliseconds{-4}, std::chrono::milliseconds{500}}) {
    CHECK_FALSE(came_late_by(set));
    CHECK(came_late_by(Nanoseconds{0}) == Nanoseconds{0});
  }
}

TEST_CASE("reports about other streams change nothing, and are counted") {
  Reporter flow;
  flow.send(flow.node, flow.ask_for(42, ssrc + 1));
  flow.send(flow.node, flow.say_held(ssrc + 1));
  flow.send(flow.node, encode(1, DelayNeed{ssrc + 1, std::chrono::microseconds{9}}, "node", flow.room));
  flow.send(flow.node, encode(1, ClockRequest{5, ssrc + 1}, "node@host", flow.room));
  for (int i = 0; i < 2; ++i) CHECK(flow.reporter.receive().empty());
  CHECK_FALSE(flow.reporter.feedback().heard);
  CHECK_FALSE(flow.reporter.loss_seen());
  CHECK(flow.received_by_node() == 0);
  CHECK(flow.reporter.refused() == 4);
  flow.room[0] = std::byte{0x42};
  flow.send(flow.node, 8);
  CHECK(flow.reporter.receive().empty());
  CHECK(flow.reporter.refused() == 5);
}

TEST_CASE("only the receiver of the stream can say goodbye") {
  Reporter flow;
  flow.send(flow.node, flow.say_held(ssrc));
  flow.reporter.receive();
  REQUIRE(flow.reporter.feedback().heard);
  flow.send(flow.node, encode(ReceiverReport{1, std::nullopt, std::nullopt}, "node", true, flow.room));
  flow.reporter.receive();
  CHECK(flow.reporter.feedback().heard);
  ReportBlock block;
  block.source_ssrc = ssrc;
  flow.send(flow.node, encode(ReceiverReport{1, block, std::nullopt}, "node", true, flow.room));
  flow.reporter.receive();
  CHECK_FALSE(flow.reporter.feedback().heard);
}

TEST_CASE("an answer with the time is no longer than the request") {
  Reporter flow;
  const std::string_view name = GENERATE("n@h1", "node@host", "node-with-a-long-name@a.host.with.a.long.name.too");
  const auto asked = encode(1, ClockRequest{5, ssrc}, name, flow.room);
  flow.send(flow.node, asked);
  CHECK(flow.reporter.receive().empty());
  const auto datagram = flow.node.receive_now(flow.room);
  REQUIRE(datagram);
  CHECK(datagram->bytes <= asked);
  RtcpContents contents;
  REQUIRE(parse_rtcp({flow.room.data(), datagram->bytes}, std::nullopt, contents).empty());
  REQUIRE(contents.clock_reply);
  CHECK(contents.clock_reply->asked == 5);
}

TEST_CASE("one request is honoured up to the number that our receivers request at once") {
  Reporter flow;
  std::vector<std::int64_t> all(3000);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  ReportBlock block;
  block.source_ssrc = ssrc;
  block.highest_sequence = 3000;
  std::size_t taken = 0;
  flow.send(flow.node, encode(ReceiverReport{1, block, std::nullopt}, "node", all, flow.room, taken));
  REQUIRE(taken > 512);
  CHECK(flow.reporter.receive().size() == 512);
}

TEST_CASE("a bounded number of a flood is accepted, and the rest counted") {
  Reporter flow;
  const auto began = LocalClock::now();
  std::size_t taken = 0;
  constexpr int rounds = 50;
  constexpr int each = 100;
  const auto bytes = flow.ask_for(42, ssrc);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < each; ++i) flow.send(flow.node, bytes);
    for (int i = 0; i < each; ++i) taken += flow.reporter.receive().size();
  }
  for (int i = 0; i < 1000 && taken + flow.reporter.refused() < rounds * each; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    taken += flow.reporter.receive().size();
  }
  const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(LocalClock::now() - began).count();
  CHECK(taken <= 400 + 4 * static_cast<std::size_t>(milliseconds));
  CHECK(taken >= 400);
  CHECK(taken + flow.reporter.refused() == rounds * each);
}
