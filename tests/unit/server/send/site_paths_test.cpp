// Pins what sites cost a flow's sender and do to it, over loopback sockets and on virtual time: sites of one group cost
// what one costs, each gets its own resends within its own budget, and a site that floods or is silent changes nothing
// for the others.
#include "server/send/site_paths.h"

#include "common/wire/media_packet.h"
#include "common/wire/rtcp.h"
#include "server/send/flow_sender.h"
#include "tests/support/lone_flow.h"
#include "tests/support/ports.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

struct Calls {
  std::uint64_t calls = 0;
  std::uint64_t sends = 0;  // of a run, or of an RTCP packet
};

// A port of the kernel whose calls are counted, with the time of the test.
class CountingPort final : public DatagramPort {
public:
  CountingPort(std::unique_ptr<DatagramPort> port, const Timeline& timeline, Calls& calls)
      : port_(std::move(port)), timeline_(timeline), calls_(calls) {}

  int receive(std::span<mmsghdr> messages, int flags) override {
    ++calls_.calls;
    return port_->receive(messages, flags);
  }
  ssize_t send(const msghdr& message, int flags) override {
    const auto sent = port_->send(message, flags);
    ++calls_.calls;
    calls_.sends += sent >= 0;
    return sent;
  }
  int send(std::span<mmsghdr> messages) override {
    const auto sent = port_->send(messages);
    ++calls_.calls;
    if (sent > 0) calls_.sends += static_cast<unsigned>(sent);
    return sent;
  }
  bool set(int level, int option, const void* value, socklen_t bytes) override {
    ++calls_.calls;
    return port_->set(level, option, value, bytes);
  }
  [[nodiscard]] int descriptor() const override { return port_->descriptor(); }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) override {
    ++calls_.calls;
    return port_->receive_now(buffer);
  }
  void send_to(const Address& peer, std::span<const std::byte> datagram) override { port_->send_to(peer, datagram); }
  void tell(std::span<const std::byte> datagram) override {
    ++calls_.calls;
    ++calls_.sends;
    port_->tell(datagram);
  }
  [[nodiscard]] std::uint32_t drops() const override {
    ++calls_.calls;
    return port_->drops();
  }
  [[nodiscard]] Moment now() const override { return timeline_.now(); }

private:
  const std::unique_ptr<DatagramPort> port_;
  const Timeline& timeline_;
  Calls& calls_;
};

std::string wall_text(unsigned ports, unsigned sites, const std::string& more = "") {
  auto text = fmt::format(R"(
[wall]
name = "w"
columns = 1
rows = 1
tile_width = 64
tile_height = 64
frame_rate = 50
[[node]]
name = "own"
address = "127.0.0.2"
tiles = [{{ column = 0, row = 0 }}]
[[server]]
name = "s"
interfaces = ["127.0.0.1"]
[streaming]
mtu = 600
pacing = "none"
base_port = {}
source_port = {}
)",
                          ports, ports + 2);
  text += more;
  for (unsigned i = 0; i < sites; ++i)
    text += fmt::format(R"([[site]]
name = "site{0}"
address = "232.7.7.7"
resend_percent = 10
playout_delay_ms = 400
[[site.node]]
name = "there{0}"
address = "127.0.1.{0}"
tiles = [{{ column = 0, row = 0 }}]
)",
                        i + 1);
  return text;
}

Address at(const std::string& host, unsigned port) {
  return Address::parse(host, static_cast<std::uint16_t>(port)).value();
}

Address bound_to(const DatagramPort& port) {
  sockaddr_storage raw{};
  socklen_t bytes = sizeof(raw);
  getsockname(port.descriptor(), reinterpret_cast<sockaddr*>(&raw), &bytes);
  return Address::from(raw);
}

// A node of a site: its sockets, as a client has them.
struct Member {
  Member(unsigned number, unsigned port)
      : media(bound(number, port)), control(bound(number, port + 1)), ssrc(1000 + number) {}
  // Bound to its address alone: other members of this host have the same port. Packets to the group are not read.
  static UdpSocket bound(unsigned number, unsigned port) {
    return UdpSocket::bind(at(fmt::format("127.0.1.{}", number), port)).value();
  }

  UdpSocket media;
  UdpSocket control;
  std::uint32_t ssrc;
};

struct Flow {
  explicit Flow(unsigned sites, const std::string& more = "")
      : port(free_even_ports(4)), wall(parse_wall(wall_text(port, sites, more), "w.toml").value()) {
    auto ports = open_sender_ports(wall, wall.coordinator(), all_bands(wall).front()).value();
    for (auto& path : ports.paths) {
      ends.push_back(path.end);
      calls.emplace_back();
    }
    for (std::size_t i = 0; i < ports.paths.size(); ++i) {
      auto& path = ports.paths[i];
      control_from.push_back(bound_to(*path.control));
      path.media = std::make_unique<CountingPort>(std::move(path.media), timeline, calls[i]);
      path.control = std::make_unique<CountingPort>(std::move(path.control), timeline, calls[i]);
    }
    ports.clock = std::make_unique<TimelineClock>(timeline);
    ports.numbers = lone_numbers;
    sender = FlowSender::make(wall, all_bands(wall).front(), std::move(ports)).value();
    sender->begin(50us);
  }

  // Steps the sender every half millisecond, with `between` before each step.
  template <class Between>
  void run(Nanoseconds time, Between between) {
    const auto until = timeline.now().wall + time;
    while (timeline.now().wall < until) {
      between();
      sender->step(timeline.now());
      timeline.run(timeline.now().wall + 500us, [] { return false; });
    }
  }
  template <class Between>
  void play(unsigned frames, Between between) {
    for (unsigned frame = 0; frame < frames; ++frame) {
      auto* buffer = pool->take();
      REQUIRE(buffer != nullptr);
      const auto tick = static_cast<std::uint16_t>(++played);
      REQUIRE(sender->offer({buffer, {timeline.now().wall, played, 1, tick}, PixelFormat::rgb8, 20ms}));
      run(20ms, between);
    }
  }
  void play(unsigned frames) {
    play(frames, [] {});
  }
  [[nodiscard]] Calls sum() const {
    Calls all;
    for (const auto& of_path : calls) {
      all.calls += of_path.calls;
      all.sends += of_path.sends;
    }
    return all;
  }
  [[nodiscard]] const Address& members_control() const { return control_from.back(); }
  void request(const Member& member, std::vector<std::int64_t> missing) const {
    std::array<std::byte, rtcp_bytes_max> request{};
    ReportBlock block{};
    block.source_ssrc = lone_numbers.ssrc;
    block.highest_sequence = lone_numbers.first_sequence + 10'000;
    block.fraction_lost = 200;
    std::size_t taken = 0;
    const auto bytes = encode(ReceiverReport{member.ssrc, block, {}}, "member", missing, request, taken);
    const auto& to = members_control();
    ::sendto(member.control.fd(), request.data(), bytes, 0, to.raw(), to.raw_bytes());
  }
  void hold(const Member& member, std::uint16_t tick) const {
    std::array<std::byte, rtcp_bytes_max> report{};
    SyncTicks held{lone_numbers.ssrc, {}};
    held.ticks.add(tick);
    const auto bytes = encode(member.ssrc, SyncSubject::held, held, "member", report);
    const auto& to = members_control();
    ::sendto(member.control.fd(), report.data(), bytes, 0, to.raw(), to.raw_bytes());
  }
  // The committed frames that were sent to a node; empty: none were.
  static std::optional<TickSet> committed(const UdpSocket& control) {
    std::optional<TickSet> newest;
    std::array<std::byte, 2048> buffer{};
    while (const auto datagram = control.receive_now(buffer)) {
      RtcpContents contents;
      REQUIRE(parse_rtcp(std::span(buffer).first(datagram->bytes), lone_numbers.ssrc, contents).empty());
      if (contents.committed) newest = contents.committed->ticks;
    }
    return newest;
  }
  static std::vector<MediaPacket> received(const UdpSocket& socket) {
    std::vector<MediaPacket> packets;
    std::array<std::byte, 2048> buffer{};
    while (const auto datagram = socket.receive_now(buffer)) {
      MediaPacket packet;
      REQUIRE(parse_media_packet(std::span(buffer).first(datagram->bytes), packet).empty());
      packet.rows = {};
      packet.pixels = {};
      packets.push_back(packet);
    }
    return packets;
  }

  unsigned port;
  Wall wall;
  Timeline timeline;
  std::vector<PathEnd> ends;
  std::deque<Calls> calls;            // by path
  std::vector<Address> control_from;  // by path
  std::unique_ptr<FramePool> pool = FramePool::allocate(40, std::size_t{64} * 64 * 3).value();
  std::unique_ptr<FlowSender> sender;
  std::uint32_t played = 0;
};

}  // namespace

TEST_CASE("eight sites of a group cost a sender the calls of one") {
  Flow one(1);
  Flow eight(8);
  CHECK(one.ends == std::vector{PathEnd::node, PathEnd::group, PathEnd::member});
  CHECK(eight.ends.size() == 10);
  for (auto* flow : {&one, &eight}) flow->play(60);
  const auto of_one = one.sum();
  const auto of_eight = eight.sum();
  INFO(of_one.sends << " sends, " << of_one.calls << " calls");
  CHECK(of_one.sends > 2 * 60);
  CHECK(of_eight.sends == of_one.sends);
  CHECK(of_eight.calls == of_one.calls);
  // The group's part of it is as large as the node's.
  CHECK(one.calls[1].sends == one.calls[0].sends);
}

TEST_CASE("a standby sends to the groups of sites from its own address") {
  const auto port = free_even_ports(4);
  auto text = wall_text(port, 2);
  text.replace(text.find("[\"127.0.0.1\"]"), 13, "[\"127.0.0.9\"]");  // of the server
  text.insert(text.find("[streaming]"),
              "[[server]]\nname = \"t\"\ncontrol = \"127.0.0.1:9011\"\ninterfaces = [\"127.0.0.1\"]\n"
              "standby_for = \"s\"\nstandby = \"hot\"\n");
  const auto wall = parse_wall(text, "w.toml").value();
  const auto ports = open_sender_ports(wall, wall.servers[1], all_bands(wall).front()).value();
  REQUIRE(ports.paths.size() == 4);
  CHECK((ports.paths[1].end == PathEnd::group && ports.paths[3].end == PathEnd::member));
  for (const auto& path : ports.paths) CHECK(bound_to(*path.media).same_host(at("127.0.0.1", 0)));
}

TEST_CASE("a site's node gets its lost packets to its own address, once, and nobody else does") {
  Flow flow(2);
  const Member first(1, flow.port);
  const Member second(2, flow.port);
  const auto own = UdpSocket::bind(at("127.0.0.2", flow.port)).value();
  flow.play(5);
  Flow::received(own);
  flow.request(first, {1003, 1004});
  flow.run(5ms, [] {});
  const auto resent = Flow::received(first.media);
  REQUIRE(resent.size() == 2);
  CHECK((resent[0].resent && resent[0].sequence == 1003 && resent[1].sequence == 1004));
  CHECK(resent[0].resend_sequence + 1 == resent[1].resend_sequence);
  CHECK(Flow::received(second.media).empty());
  CHECK(Flow::received(own).empty());
  // The wall's own figures do not count it, and its losses cause no parity for others.
  flow.run(100ms, [] {});
  CHECK(flow.sender->stats().resent == 0);
  flow.play(5);
  CHECK(flow.sender->stats().parity == 0);
  CHECK(flow.sender->site_stats(0).resent == 2);
  CHECK(flow.sender->site_stats(0).flows_heard == 1);
  CHECK((flow.sender->site_stats(1).resent == 0 && flow.sender->site_stats(1).flows_heard == 0));
  // Resends to the other site are another stream.
  flow.request(second, {1003});
  flow.run(5ms, [] {});
  const auto other = Flow::received(second.media);
  REQUIRE(other.size() == 1);
  CHECK(other[0].ssrc != resent[0].ssrc);
}

TEST_CASE("what a site's node holds counts at its site, and what is committed there reaches it only") {
  Flow flow(2, "[sync]\nmode = \"wall\"\n");
  const Member first(1, flow.port);
  const Member second(2, flow.port);
  const auto own = UdpSocket::bind(at("127.0.0.2", flow.port + 1)).value();
  flow.play(3);
  flow.hold(second, 2);
  flow.run(5ms, [] {});
  CHECK(flow.sender->feedback(2).held.contains(2));
  CHECK_FALSE(flow.sender->feedback(0).heard);
  CHECK_FALSE(flow.sender->feedback(1).heard);
  TickSet ticks;
  ticks.add(2);
  flow.sender->commit(ticks, 2);
  flow.run(5ms, [] {});
  CHECK(Flow::committed(second.control) == ticks);
  CHECK_FALSE(Flow::committed(first.control));
  CHECK_FALSE(Flow::committed(own));
}

TEST_CASE("frames are kept for the site with the longest playout delay") {
  Flow flow(1);
  const Member member(1, flow.port);
  flow.play(1);
  flow.play(15);  // 300 ms: longer than the wall's own delay, shorter than the site's
  flow.request(member, {1000});
  flow.run(5ms, [] {});
  CHECK(Flow::received(member.media).size() == 1);
  flow.play(250);  // five seconds without a report
  CHECK(flow.sender->site_stats(0).flows_heard == 0);
  flow.request(member, {1000});
  flow.run(5ms, [] {});
  CHECK(Flow::received(member.media).empty());
}

TEST_CASE("a site that floods requests uses up its own budget only") {
  Flow flow(2);
  const Member flooding(1, flow.port);
  const Member other(2, flow.port);
  flow.play(4);
  std::vector<std::int64_t> many(400);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = 1000 + static_cast<std::int64_t>(i % 90);
  std::ranges::sort(many);
  many.erase(std::unique(many.begin(), many.end()), many.end());
  std::size_t flooded_bytes = 0;
  std::array<std::byte, 2048> buffer{};
  const auto flood = [&] {
    for (int i = 0; i < 20; ++i) flow.request(flooding, many);
    while (const auto datagram = flooding.media.receive_now(buffer)) flooded_bytes += datagram->bytes;
  };
  const auto before = flow.timeline.now().wall;
  flow.play(10, flood);
  flow.request(other, {1003});
  flow.play(1, flood);
  CHECK(Flow::received(other.media).size() == 1);
  // 10 % of the flow's rate, and what the budget allows at once.
  const auto seconds = std::chrono::duration<double>(flow.timeline.now().wall - before).count();
  const double rate = 64.0 * 64 * 3 * 1.15 * 50;
  CHECK(static_cast<double>(flooded_bytes) < 0.1 * rate * seconds + 8 * 600 + 0.1 * rate * 0.01);
  CHECK(flooded_bytes > 0);
  CHECK(flow.sender->stats().frames == 15);
  CHECK(flow.sender->site_stats(0).resends_refused > 1000);
  CHECK(flow.sender->site_stats(1).resends_refused == 0);
}
