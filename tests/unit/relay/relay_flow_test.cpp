// Pins how a relay forwards a flow over loopback, between a server and a node that are sockets of the test.
#include "relay/relay_flow.h"

#include "common/base/moment.h"
#include "common/wire/media_packet.h"
#include "common/wire/relayed.h"
#include "tests/support/ports.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t ssrc = 0x01020304;
constexpr std::uint32_t relay_ssrc = 0x0a0b0c0d;
using Datagrams = std::vector<std::vector<std::byte>>;

const std::string hot_standby =
    "[[server]]\nname = \"t\"\ncontrol = \"127.0.0.1:9011\"\nstandby_for = \"s\"\n"
    "interfaces = [\"127.0.0.5\"]\n";

std::string wall_text(std::uint16_t ports, const std::string& streaming, const std::string& standby) {
  return fmt::format(R"(
[wall]
name = "w"
columns = 1
rows = 1
tile_width = 64
tile_height = 64
frame_rate = 30
[[node]]
name = "own"
address = "127.0.0.1"
tiles = [{{ column = 0, row = 0 }}]
[[server]]
name = "s"
interfaces = ["127.0.0.1"]
{}[streaming]
mtu = 1500
base_port = {}
source_port = {}
{}
[[site]]
name = "far"
address = "127.0.0.2"
interfaces = ["127.0.0.3"]
resend_percent = 1
[[site.node]]
name = "there"
address = "127.0.0.4"
tiles = [{{ column = 0, row = 0 }}]
)",
                     standby, ports, ports + 2, streaming);
}

Address at(const char* host, unsigned port) { return Address::parse(host, static_cast<std::uint16_t>(port)).value(); }

// The relay, the server on its one side and the node on its other.
struct Fixture {
  explicit Fixture(const std::string& streaming = "", const std::string& standby_text = "",
                   std::uint16_t first = free_even_ports(4))
      : ports(first), wall(parse_wall(wall_text(first, streaming, standby_text), "w.toml").value()) {
    server.emplace(UdpSocket::bind(at("127.0.0.1", ports + 2)).value());
    server_control.emplace(UdpSocket::bind(at("127.0.0.1", ports + 3)).value());
    standby.emplace(UdpSocket::bind(at("127.0.0.5", ports + 2)).value());
    standby_control.emplace(UdpSocket::bind(at("127.0.0.5", ports + 3)).value());
    node.emplace(UdpSocket::bind(at("127.0.0.4", ports)).value());
    node_control.emplace(UdpSocket::bind(at("127.0.0.4", ports + 1)).value());
    const auto band = all_bands(wall).front();
    auto opened = open_relay_ports(wall, wall.sites.front(), band);
    REQUIRE(opened.has_value());
    relay.emplace(wall, wall.sites.front(), band, std::move(*opened), relay_ssrc);
    templates = PacketTemplates::lay_out(PixelFormat::rgb8, 64, 64, packet_cut(wall, {}), ssrc).value();
    templates->stamp({WallTime{1'700'000'000s}, 5, 1, 6}, 1000);
  }

  static void send(const UdpSocket& from, std::span<const std::byte> datagram, const Address& to) {
    REQUIRE(::sendto(from.fd(), datagram.data(), datagram.size(), 0, to.raw(), to.raw_bytes()) ==
            static_cast<ssize_t>(datagram.size()));
  }
  void step() {
    for (int i = 0; i < 3; ++i) relay->step(Moment::now());
  }
  // Figures are published every 20 ms.
  RelayStats stats() {
    std::this_thread::sleep_for(25ms);
    step();
    return relay->stats();
  }
  static Datagrams received(const UdpSocket& socket) {
    Datagrams all;
    std::array<std::byte, 4096> buffer{};
    while (const auto datagram = socket.receive_now(buffer))
      all.emplace_back(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(datagram->bytes));
    return all;
  }
  // A media packet of the frame, whose pixels are `pixel`.
  [[nodiscard]] std::vector<std::byte> media(std::size_t index, std::byte pixel = std::byte{0x5a}) const {
    const auto& packet = templates->packets()[index];
    const auto* header = templates->header(packet);
    std::vector<std::byte> datagram(header, header + packet.header_bytes);
    datagram.resize(datagram.size() + packet.pixel_bytes, pixel);
    datagram.insert(datagram.end(), templates->padding(packet), templates->padding(packet) + packet.padding_bytes);
    return datagram;
  }
  // The server reports, so that the relay knows its address.
  void introduce_server() { introduce(*server_control); }
  void introduce(const UdpSocket& control) {
    std::array<std::byte, rtcp_bytes_max> report{};
    const auto bytes = encode(SenderReport{ssrc, WallTime{1s}, 0, 1, 1}, "server", false, report);
    send(control, std::span(report).first(bytes), at("127.0.0.2", ports + 1U));
    step();
    const std::vector<std::byte> sent(report.begin(), report.begin() + static_cast<std::ptrdiff_t>(bytes));
    REQUIRE(received(*node_control) == Datagrams{sent});
  }
  static std::vector<std::byte> control_report() {
    std::array<std::byte, rtcp_bytes_max> report{};
    ReportBlock block{};
    block.source_ssrc = ssrc;
    const auto bytes = encode(ReceiverReport{77, block, {}}, "node", false, report);
    return {report.begin(), report.begin() + static_cast<std::ptrdiff_t>(bytes)};
  }
  // The node requests packets.
  void ask(const std::vector<std::int64_t>& missing) {
    std::array<std::byte, rtcp_bytes_max> request{};
    ReportBlock block{};
    block.source_ssrc = ssrc;
    block.highest_sequence = 1100;
    std::size_t taken = 0;
    const auto bytes = encode(ReceiverReport{77, block, {}}, "node", missing, request, taken);
    REQUIRE(taken == missing.size());
    send(*node_control, std::span(request).first(bytes), at("127.0.0.3", ports + 3U));
    step();
  }
  // The packets that are requested from the server; empty if it got no report.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> asked_of_server() const { return asked_of(*server_control); }
  static std::optional<std::vector<std::uint32_t>> asked_of(const UdpSocket& control) {
    const auto compounds = received(control);
    if (compounds.size() != 1) return {};
    RtcpContents contents;
    REQUIRE(parse_rtcp(compounds.front(), ssrc, contents).empty());
    REQUIRE(contents.receiver.has_value());
    std::vector<std::uint32_t> asked;
    for_each_missing(contents, [&](std::uint32_t sequence) { asked.push_back(sequence); });
    return asked;
  }

  std::uint16_t ports;
  Wall wall;
  std::optional<UdpSocket> server;
  std::optional<UdpSocket> server_control;
  std::optional<UdpSocket> standby;
  std::optional<UdpSocket> standby_control;
  std::optional<UdpSocket> node;
  std::optional<UdpSocket> node_control;
  std::optional<RelayFlow> relay;
  std::optional<PacketTemplates> templates;
};

}  // namespace

TEST_CASE("numbers that shorter frames skip are not lost") {
  Fixture fixture;
  fixture.templates =
      PacketTemplates::lay_out(PixelFormat::lossless, 64, 64, packet_cut(fixture.wall, {}), ssrc).value();
  const auto numbers = static_cast<std::uint32_t>(fixture.templates->packets().size());
  REQUIRE(numbers > 3);
  FrameStamp stamp{WallTime{1'700'000'000s}, 5, 1, 6};
  // Two packets of each frame are sent, and of the second frame only one arrives.
  stamp.used = fixture.templates->packets()[1].pixel_offset + 16;
  stamp.packets_before = 1;
  for (std::uint32_t frame = 0; frame < 3; ++frame) {
    fixture.templates->stamp(stamp, 1000 + frame * numbers);
    for (std::size_t index = 0; index < (frame == 1 ? 1U : 2U); ++index)
      fixture.send(*fixture.server, fixture.media(index), at("127.0.0.2", fixture.ports));
    fixture.step();
    stamp.media_time += 33ms;
    ++stamp.tick;
    stamp.packets_before += 2;
  }
  CHECK(fixture.stats().lost == 1);
}

TEST_CASE("a relay forwards packets and reports unchanged") {
  Fixture fixture;
  Datagrams sent;
  for (std::size_t i = 0; i < fixture.templates->packets().size(); ++i) {
    sent.push_back(fixture.media(i));
    Fixture::send(*fixture.server, sent.back(), at("127.0.0.2", fixture.ports));
  }
  fixture.step();
  CHECK(Fixture::received(*fixture.node) == sent);
  fixture.introduce_server();
  const auto stats = fixture.stats();
  CHECK(stats.packets == sent.size());
  CHECK(stats.lost == 0U);
  CHECK((stats.invalid == 0 && stats.send_errors == 0 && stats.rtcp_refused == 0));
}

TEST_CASE("a run of packets goes through a relay with one call") {
  Fixture fixture;
  REQUIRE(fixture.server->connect(at("127.0.0.2", fixture.ports)).has_value());
  DatagramSender sender(*fixture.server);
  Datagrams sent;
  std::vector<DatagramPieces> run;
  for (std::size_t i = 0; i < fixture.templates->packets().size(); ++i) sent.push_back(fixture.media(i));
  for (const auto& datagram : sent) run.push_back({{piece_of(datagram.data(), datagram.size())}, 1});
  sender.set_datagram_bytes(fixture.templates->datagram_bytes());
  REQUIRE(sender.send(run) == run.size());
  fixture.step();
  CHECK(Fixture::received(*fixture.node) == sent);
  CHECK(fixture.stats().packets == sent.size());
  CHECK(fixture.stats().send_calls == 1);
}

TEST_CASE("a relay forwards RTP from the server's addresses only") {
  Fixture fixture;
  const auto stranger = UdpSocket::bind(at("127.0.0.9", 0)).value();
  Fixture::send(stranger, fixture.media(0), at("127.0.0.2", fixture.ports));
  Fixture::send(*fixture.server, std::vector<std::byte>(20, std::byte{0}), at("127.0.0.2", fixture.ports));
  Fixture::send(*fixture.server, std::vector<std::byte>(3, std::byte{0x80}), at("127.0.0.2", fixture.ports));
  fixture.step();
  CHECK(Fixture::received(*fixture.node).empty());
  CHECK(fixture.stats().invalid == 2);
  CHECK(fixture.stats().kept_out == 1);
  // The site's node cannot reach a server that has not reported.
  fixture.ask({1001});
  CHECK_FALSE(fixture.asked_of_server());
}

TEST_CASE("a relay resends what it has, and requests the rest from the server") {
  Fixture fixture;
  fixture.introduce_server();
  for (const std::size_t i : {0, 1, 3})
    Fixture::send(*fixture.server, fixture.media(i), at("127.0.0.2", fixture.ports));
  fixture.step();
  Fixture::received(*fixture.node);
  fixture.ask({1001, 1002, 1003});
  const auto again = Fixture::received(*fixture.node);
  REQUIRE(again.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    MediaPacket packet;
    REQUIRE(parse_media_packet(again[i], packet).empty());
    CHECK(packet.resent);
    CHECK(packet.sequence == (i == 0 ? 1001 : 1003));
    CHECK(packet.ssrc == relay_ssrc);
    CHECK(packet.resend_sequence == i);
    CHECK(std::ranges::all_of(packet.pixels, [](std::byte pixel) { return pixel == std::byte{0x5a}; }));
  }
  CHECK(fixture.asked_of_server() == std::vector<std::uint32_t>{1002});
  // If it has all, it forwards the report without a request.
  fixture.ask({1003});
  CHECK(fixture.asked_of_server() == std::vector<std::uint32_t>{});
}

TEST_CASE("a relay keeps resends within the site's budget") {
  Fixture fixture;
  fixture.introduce_server();
  for (std::size_t i = 0; i < 8; ++i) Fixture::send(*fixture.server, fixture.media(i), at("127.0.0.2", fixture.ports));
  fixture.step();
  for (int round = 0; round < 4; ++round) fixture.ask({1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007});
  const auto stats = fixture.stats();
  CHECK(stats.resends_asked == 32);
  CHECK(stats.resent + stats.resends_refused == 32);
  CHECK(stats.resent >= 8);
  CHECK(stats.resends_refused >= 20);  // 1 % of this flow are 3 packets a second
}

TEST_CASE("a relay forwards encrypted packets and reports without reading them") {
  Fixture fixture("srtp_key_file = \"nowhere.key\"");
  const auto secret = fixture.media(0, std::byte{0x77});
  Fixture::send(*fixture.server, secret, at("127.0.0.2", fixture.ports));
  fixture.step();
  CHECK(Fixture::received(*fixture.node) == Datagrams{secret});
  const std::vector<std::byte> report(100, std::byte{0x9c});  // encrypted: does not parse
  Fixture::send(*fixture.server_control, report, at("127.0.0.2", fixture.ports + 1U));
  fixture.step();
  CHECK(Fixture::received(*fixture.node_control) == Datagrams{report});
  Fixture::send(*fixture.node_control, report, at("127.0.0.3", fixture.ports + 3U));
  fixture.step();
  CHECK(Fixture::received(*fixture.server_control) == Datagrams{report});
  CHECK_FALSE(fixture.stats().lost.has_value());
}

TEST_CASE("resends of the server and of a relay are one stream") {
  Fixture fixture;
  fixture.introduce_server();
  Fixture::send(*fixture.server, fixture.media(0), at("127.0.0.2", fixture.ports));
  fixture.step();
  Fixture::received(*fixture.node);
  fixture.ask({1000});
  MediaPacket original;
  const auto lost = fixture.media(1);
  REQUIRE(parse_media_packet(lost, original).empty());
  std::vector<std::byte> resend(lost.size() + wire::resend_bytes);
  write_resend(lost, original, 4711, 9, resend);
  Fixture::send(*fixture.server, resend, at("127.0.0.2", fixture.ports));
  fixture.step();
  const auto resends = Fixture::received(*fixture.node);
  REQUIRE(resends.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    MediaPacket packet;
    REQUIRE(parse_media_packet(resends[i], packet).empty());
    CHECK((packet.resent && packet.ssrc == relay_ssrc && packet.sequence == 1000 + i && packet.resend_sequence == i));
  }
}

TEST_CASE("requests in any order, and repeated ones, are harmless") {
  Fixture fixture;
  fixture.introduce_server();
  Fixture::send(*fixture.server, fixture.media(0), at("127.0.0.2", fixture.ports));
  fixture.step();
  Fixture::received(*fixture.node);
  // A report with NACKs of 1005, 1003 and 1005 again, behind it one of 1000.
  std::array<std::byte, rtcp_bytes_max> request{};
  ReportBlock block{};
  block.source_ssrc = ssrc;
  block.highest_sequence = 1100;
  std::size_t taken = 0;
  const std::vector<std::int64_t> four{1000, 1020, 1040, 1060};
  const auto bytes = encode(ReceiverReport{77, block, {}}, "node", four, request, taken);
  const auto put = [&](std::size_t from_end, std::uint16_t first) {
    request[bytes - from_end] = static_cast<std::byte>(first >> 8U);
    request[bytes - from_end + 1] = static_cast<std::byte>(first & 0xffU);
  };
  put(16, 1005);
  put(12, 1003);
  put(8, 1005);
  put(4, 1000);
  Fixture::send(*fixture.node_control, std::span(request).first(bytes), at("127.0.0.3", fixture.ports + 3U));
  fixture.step();
  CHECK(fixture.asked_of_server() == std::vector<std::uint32_t>{1003, 1005});
  CHECK(Fixture::received(*fixture.node).size() == 1);
}

TEST_CASE("a flood of reports from a site delays nothing and reaches the server within bounds") {
  Fixture fixture;
  fixture.introduce_server();
  const auto report = std::vector<std::byte>(fixture.control_report());
  for (int i = 0; i < 3000; ++i) Fixture::send(*fixture.node_control, report, at("127.0.0.3", fixture.ports + 3U));
  Fixture::send(*fixture.server, fixture.media(0), at("127.0.0.2", fixture.ports));
  fixture.relay->step(Moment::now());
  CHECK(Fixture::received(*fixture.node).size() == 1);
  CHECK(Fixture::received(*fixture.server_control).size() <= 16);
}

TEST_CASE("reports from another port of the server's host are not forwarded while the server reports") {
  Fixture fixture;
  fixture.introduce_server();
  const auto stray = UdpSocket::bind(at("127.0.0.1", 0)).value();
  Fixture::send(stray, fixture.control_report(), at("127.0.0.2", fixture.ports + 1U));
  fixture.step();
  CHECK(Fixture::received(*fixture.node_control).empty());
  CHECK(fixture.stats().rtcp_refused == 1);
}

TEST_CASE("of a server and its hot standby a relay forwards each packet once, whichever of them is lost") {
  Fixture fixture("", hot_standby);
  std::mt19937 random(5);
  const auto to = at("127.0.0.2", fixture.ports);
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  std::size_t repeated = 0;
  for (std::uint16_t tick = 1; tick <= 30; ++tick) {
    const auto count = fixture.templates->packets().size();
    const auto first = static_cast<std::uint32_t>(1000 + tick * count);
    fixture.templates->stamp({WallTime{1'700'000'000s + tick * 33ms}, tick, 1, tick}, first);
    // Each packet comes from one of them at least; one is ahead of the other.
    struct Copy {
      const UdpSocket* from;
      std::size_t index;
    };
    std::vector<Copy> copies;
    Datagrams due;
    for (std::size_t i = 0; i < count; ++i) {
      due.push_back(fixture.media(i));
      const bool by_server = chance(80);
      if (by_server) copies.push_back({&*fixture.server, i});
      if (!by_server || chance(80)) copies.push_back({&*fixture.standby, i});
      repeated += copies.size() > 1 && copies[copies.size() - 2].index == i;
    }
    if (chance(50)) std::ranges::stable_sort(copies, std::less<>(), &Copy::from);
    if (chance(30)) std::ranges::shuffle(copies, random);
    for (const auto& copy : copies) Fixture::send(*copy.from, due[copy.index], to);
    fixture.step();
    auto came = Fixture::received(*fixture.node);
    std::ranges::sort(came);
    std::ranges::sort(due);
    REQUIRE(came == due);
  }
  const auto stats = fixture.stats();
  CHECK(stats.repeated == repeated);
  CHECK(repeated > 100);
  CHECK(stats.lost == 0U);
}

TEST_CASE("a relay forwards other frames with the same numbers, from a server that does not know what plays") {
  Fixture fixture("", hot_standby);
  const auto to = at("127.0.0.2", fixture.ports);
  const auto old = fixture.media(0);
  fixture.templates->stamp({WallTime{1'700'000'000s}, 5, 2, 6}, 1000);  // a later generation
  const auto present = fixture.media(0);
  Fixture::send(*fixture.standby, old, to);
  Fixture::send(*fixture.server, present, to);
  Fixture::send(*fixture.server, present, to);
  fixture.step();
  CHECK(Fixture::received(*fixture.node) == Datagrams{old, present});
  CHECK(fixture.stats().repeated == 1U);
}

TEST_CASE("a relay forwards encrypted packets of both servers") {
  Fixture fixture("srtp_key_file = \"nowhere.key\"", hot_standby);
  const auto to = at("127.0.0.2", fixture.ports);
  const auto one = fixture.media(0, std::byte{0x77});
  const auto other = fixture.media(0, std::byte{0x78});  // the same packet under another key
  Fixture::send(*fixture.server, one, to);
  Fixture::send(*fixture.standby, other, to);
  fixture.step();
  CHECK(Fixture::received(*fixture.node) == Datagrams{one, other});
  CHECK_FALSE(fixture.stats().repeated.has_value());
}

TEST_CASE("a relay reports to both servers, and requests packets from each in turn while both report") {
  Fixture fixture("", hot_standby);
  fixture.introduce(*fixture.server_control);
  fixture.introduce(*fixture.standby_control);
  Fixture::send(*fixture.server, fixture.media(0), at("127.0.0.2", fixture.ports));
  const auto report = Fixture::control_report();
  Fixture::send(*fixture.node_control, report, at("127.0.0.3", fixture.ports + 3U));
  fixture.step();
  CHECK(Fixture::received(*fixture.server_control) == Datagrams{report});
  CHECK(Fixture::received(*fixture.standby_control) == Datagrams{report});
  unsigned of_server = 0;
  for (int i = 0; i < 4; ++i) {
    fixture.ask({1002});
    const auto server = Fixture::asked_of(*fixture.server_control),
               standby = Fixture::asked_of(*fixture.standby_control);
    CHECK(server.has_value() != standby.has_value());
    CHECK((server ? server : standby) == std::vector<std::uint32_t>{1002});
    of_server += server.has_value();
  }
  CHECK(of_server == 2);
}

TEST_CASE("a stream replaces another one in a relay after that one has been silent") {
  Fixture fixture("", hot_standby);
  fixture.introduce_server();
  const auto to = at("127.0.0.2", fixture.ports);
  const auto ours = fixture.media(0);
  auto other = PacketTemplates::lay_out(PixelFormat::rgb8, 64, 64, packet_cut(fixture.wall, {}), ssrc + 1);
  std::swap(*fixture.templates, *other);
  fixture.templates->stamp({WallTime{1'700'000'000s}, 5, 1, 6}, 5000);
  const auto theirs = fixture.media(0);
  for (const auto* datagram : {&ours, &theirs, &ours}) Fixture::send(*fixture.server, *datagram, to);
  fixture.step();
  // Theirs is forwarded, as the node decides, and does not make the relay forget ours.
  CHECK(Fixture::received(*fixture.node) == Datagrams{ours, theirs});
  fixture.ask({1000});
  CHECK(Fixture::received(*fixture.node).size() == 1);
  std::this_thread::sleep_for(120ms);
  Fixture::send(*fixture.server, theirs, to);
  fixture.step();
  Fixture::received(*fixture.node);
  CHECK(fixture.stats().lost == 0U);
  std::array<std::byte, rtcp_bytes_max> report{};
  ReportBlock block{};
  block.source_ssrc = ssrc + 1;
  block.highest_sequence = 5001;
  const std::vector<std::int64_t> missing{5000};
  std::size_t taken = 0;
  const auto bytes = encode(ReceiverReport{77, block, {}}, "node", missing, report, taken);
  Fixture::send(*fixture.node_control, std::span(report).first(bytes), at("127.0.0.3", fixture.ports + 3U));
  fixture.step();
  CHECK(Fixture::received(*fixture.node).size() == 1);
}
