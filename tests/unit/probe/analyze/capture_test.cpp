#include "probe/analyze/capture.h"

#include "probe/analyze/udp_datagram.h"
#include "tests/unit/probe/analyze/capture_maker.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

using namespace std::chrono_literals;
using test::Bytes;

std::vector<Nanoseconds> times_of(const Bytes& capture) {
  std::vector<Nanoseconds> times;
  const auto counts = read_capture(capture, [&](const CapturedPacket& packet) {
    times.push_back(packet.time);
    CHECK(packet.link_type == 1);
    CHECK(packet.bytes.size() == 60);
  });
  CHECK(counts.has_value());
  return times;
}

TEST_CASE("pcap is read in both byte orders, to the micro- or nanosecond") {
  const bool big = GENERATE(false, true), nanoseconds = GENERATE(false, true);
  test::Pcap pcap(big, nanoseconds);
  pcap.add(1'700'000'000'123'456'789, Bytes(60));
  pcap.add(1'700'000'001'000'000'000, Bytes(60));
  CHECK(times_of(pcap.bytes()) == std::vector{nanoseconds ? 1'700'000'000'123'456'789ns : 1'700'000'000'123'456'000ns,
                                              1'700'000'001'000'000'000ns});
}

TEST_CASE("pcapng is read in both byte orders, with the resolution of its interface") {
  const bool big = GENERATE(false, true);
  test::PcapNg micro(big), nano(big, 9), offset(big, 9, 100), binary(big, 0x80 | 10);
  micro.add(1'700'000'000'123'456, Bytes(60));
  nano.add(1'700'000'000'123'456'789, Bytes(60));
  offset.add(5, Bytes(60));
  binary.add(1536, Bytes(60));  // of 1/1024 s
  CHECK(times_of(micro.bytes()) == std::vector{1'700'000'000'123'456'000ns});
  CHECK(times_of(nano.bytes()) == std::vector{1'700'000'000'123'456'789ns});
  CHECK(times_of(offset.bytes()) == std::vector{100'000'000'005ns});
  CHECK(times_of(binary.bytes()) == std::vector{1'500'000'000ns});
}

TEST_CASE("packets without a time are counted and skipped") {
  test::PcapNg capture;
  capture.add_simple(Bytes(60));
  capture.add(1, Bytes(60));
  unsigned seen = 0;
  const auto counts = read_capture(capture.bytes(), [&](const CapturedPacket&) { ++seen; });
  REQUIRE(counts.has_value());
  CHECK(seen == 1);
  CHECK(counts->packets == 1);
  CHECK(counts->untimed == 1);
  CHECK_FALSE(counts->ends_early);
}

TEST_CASE("a capture may end anywhere, and the end is reported; invalid files are refused") {
  test::Pcap pcap;
  test::PcapNg ng;
  for (int i = 0; i < 3; ++i) {
    pcap.add(i, Bytes(60));
    ng.add(static_cast<std::uint64_t>(i), Bytes(60));
  }
  for (const auto& whole : {pcap.bytes(), ng.bytes()}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      std::uint64_t seen = 0;
      const auto counts = read_capture(std::span(whole).first(size), [&](const CapturedPacket&) { ++seen; });
      if (counts) CHECK(counts->packets == seen);
    }
    const auto last = read_capture(std::span(whole).first(whole.size() - 1), [](const CapturedPacket&) {});
    REQUIRE(last.has_value());
    CHECK(last->packets == 2);
    CHECK(last->ends_early);
  }
  CHECK_FALSE(read_capture(Bytes(1000), [](const CapturedPacket&) {}).has_value());
  CHECK_FALSE(read_capture({}, [](const CapturedPacket&) {}).has_value());
}

TEST_CASE("the datagram is found after tags and link headers") {
  const auto payload = test::rtp_bytes({7, 100});
  const auto check = [&](std::uint32_t link_type, const Bytes& frame, const char* from) {
    const auto datagram = udp_in({0ns, link_type, frame, false});
    REQUIRE(datagram.has_value());
    CHECK(datagram->from.text() == from);
    CHECK(datagram->to.port == 50000);
    CHECK(std::vector(datagram->payload.begin(), datagram->payload.end()) == payload);
    CHECK(datagram->payload_bytes == payload.size());
  };
  check(1, test::ethernet_bytes(payload), "10.0.0.1:40000");
  check(1, test::ethernet_bytes(payload, 2), "10.0.0.1:40000");
  check(1, test::ethernet_bytes(payload, 1, true), "[2001:db8::1]:40000");
  check(101, test::ip_bytes(payload), "10.0.0.1:40000");
  auto cooked = test::Bytes(14);  // Linux "any" device
  test::put(cooked, 0x0800, 2);
  const auto ip = test::ip_bytes(payload);
  cooked.insert(cooked.end(), ip.begin(), ip.end());
  check(113, cooked, "10.0.0.1:40000");
  Bytes cooked2;
  test::put(cooked2, 0x0800, 2);
  cooked2.resize(20);
  cooked2.insert(cooked2.end(), ip.begin(), ip.end());
  check(276, cooked2, "10.0.0.1:40000");
}

TEST_CASE("an incomplete UDP datagram is ignored") {
  const auto frame = test::ethernet_bytes(test::rtp_bytes({}));
  auto fragment = frame, tcp = frame, short_length = frame;
  fragment[14 + 6] = std::byte{0x20};  // more fragments
  tcp[14 + 9] = std::byte{6};
  short_length[14 + 20 + 5] = std::byte{7};
  for (const auto& wrong : {fragment, tcp, short_length}) CHECK_FALSE(udp_in({0ns, 1, wrong, false}).has_value());
  CHECK_FALSE(udp_in({0ns, 12345, frame, false}).has_value());
  for (std::size_t size = 0; size < 42; ++size)
    CHECK_FALSE(udp_in({0ns, 1, std::span(frame).first(size), true}).has_value());
  // Cut off by the capturing program: the length on the wire is still known.
  const auto cut = udp_in({0ns, 1, std::span(frame).first(60), true});
  REQUIRE(cut.has_value());
  CHECK(cut->payload.size() == 18);
  CHECK(cut->payload_bytes == 112);
}

}  // namespace
}  // namespace lw
