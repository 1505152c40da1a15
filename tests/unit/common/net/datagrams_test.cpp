// Pins what DatagramSender and DatagramReceiver promise: datagrams arrive complete, in order and in the sender's size,
// whoever assembles them and whether or not the kernel segments and coalesces.
#include "common/clock/wall_clock.h"
#include "common/net/datagram_receiver.h"
#include "common/net/datagram_sender.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <random>

using namespace lw;

namespace {

constexpr std::size_t header_bytes = 40;

struct Pair {
  UdpSocket in = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  UdpSocket out = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  DatagramReceiver receiver{in};
  std::array<std::vector<std::byte>, DatagramReceiver::batch_max> room;
  std::array<iovec, DatagramReceiver::batch_max> pieces{};
  std::array<std::span<iovec>, DatagramReceiver::batch_max> targets;
  std::size_t dropped = 0;

  Pair() {
    REQUIRE(in.set_receive_timeout(std::chrono::milliseconds{200}).has_value());
    REQUIRE(out.connect(in.local_address()).has_value());
    for (std::size_t i = 0; i < room.size(); ++i) {
      room[i].resize(DatagramReceiver::run_bytes_max);
      pieces[i] = {room[i].data(), room[i].size()};
      targets[i] = {&pieces[i], 1};
    }
  }
  // Until nothing arrives.
  std::vector<std::vector<std::byte>> receive_all() {
    std::vector<std::vector<std::byte>> datagrams;
    for (auto runs = receiver.receive(targets); !runs.empty(); runs = receiver.receive(targets))
      for (std::size_t message = 0; message < runs.size(); ++message) {
        dropped += runs[message].dropped_before;
        CHECK(runs[message].arrival > WallClock::now() - std::chrono::seconds{10});
        const std::byte* at = room[message].data();
        for (std::size_t i = 0; i < runs[message].datagrams(); at += runs[message].bytes_of(i), ++i)
          datagrams.emplace_back(at, at + runs[message].bytes_of(i));
      }
    return datagrams;
  }
};

// Keeps where the pieces of the newest message were.
struct Pieces final : DatagramPort {
  std::vector<iovec> sent;

  ssize_t send(const msghdr& message, int /*flags*/) override {
    sent.assign(message.msg_iov, message.msg_iov + message.msg_iovlen);
    return 1;
  }
  bool set(int /*level*/, int /*option*/, const void* /*value*/, socklen_t /*bytes*/) override { return true; }
  int receive(std::span<mmsghdr> /*messages*/, int /*flags*/) override { return 0; }
  int send(std::span<mmsghdr> /*messages*/) override { return -1; }
  [[nodiscard]] int descriptor() const override { return -1; }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> /*buffer*/) override { return std::nullopt; }
  void send_to(const Address& /*peer*/, std::span<const std::byte> /*datagram*/) override {}
  void tell(std::span<const std::byte> /*datagram*/) override {}
  [[nodiscard]] std::uint32_t drops() const override { return 0; }
  [[nodiscard]] Moment now() const override { return Moment::now(); }
};

// Headers and pixels are apart, as in a flow; the last datagram is shorter.
struct Run {
  std::vector<std::byte> headers, pixels;
  std::vector<DatagramPieces> datagrams;
  std::vector<std::vector<std::byte>> expected;

  Run(std::size_t count, std::size_t datagram_bytes, std::size_t last_bytes)
      : headers(count * header_bytes), pixels(count * datagram_bytes) {
    std::minstd_rand random(static_cast<unsigned>(datagram_bytes));
    for (auto* memory : {&headers, &pixels})
      for (auto& value : *memory) value = static_cast<std::byte>(random());
    for (std::size_t i = 0; i < count; ++i) {
      std::byte* header = headers.data() + i * header_bytes;
      std::byte* body = pixels.data() + i * datagram_bytes;
      const std::size_t body_bytes = (i + 1 < count ? datagram_bytes : last_bytes) - header_bytes;
      datagrams.push_back({{{header, header_bytes}, {body, body_bytes}, {}}, 2});
      expected.emplace_back(header, header + header_bytes);
      expected.back().insert(expected.back().end(), body, body + body_bytes);
    }
  }
};

}  // namespace

TEST_CASE("a run arrives as it was assembled, whoever segments it") {
  const auto assembly = GENERATE(RunAssembly::automatic, RunAssembly::kernel, RunAssembly::user);
  const std::size_t size = GENERATE(std::size_t{200}, std::size_t{1400}, std::size_t{8900});
  Pair pair;
  DatagramSender sender(pair.out, assembly);
  sender.set_datagram_bytes(size);
  const auto count = sender.run_packets(64);
  CHECK(count == std::min<std::size_t>(64, DatagramSender::run_bytes_max / size));
  const Run run(count, size, size / 2);
  REQUIRE(sender.send(run.datagrams) == count);
  CHECK(sender.segmented());
  CHECK(sender.calls() == 1);
  CHECK(pair.receive_all() == run.expected);
  CHECK(pair.dropped == 0);
}

TEST_CASE("datagrams that lie one behind the other are sent from where they are, whatever their size") {
  const std::size_t size = GENERATE(std::size_t{200}, std::size_t{1400}, std::size_t{8900});
  std::vector<std::byte> memory(5 * size);
  std::vector<DatagramPieces> run;
  for (std::size_t at = 0; at < memory.size(); at += size) run.push_back({{piece_of(&memory[at], size), {}, {}}, 1});
  Pieces port;
  DatagramSender sender(port);
  sender.set_datagram_bytes(size);
  REQUIRE(sender.send(run) == run.size());
  REQUIRE(port.sent.size() == 1);
  CHECK(port.sent[0].iov_base == memory.data());
  CHECK(port.sent[0].iov_len == memory.size());
  // With a gap between them, small ones are copied to one piece.
  run.erase(run.begin() + 2);
  REQUIRE(sender.send(run) == run.size());
  CHECK(port.sent.size() == (size < DatagramSender::assemble_below ? 1 : 2));
  CHECK((port.sent[0].iov_base == memory.data()) == (size >= DatagramSender::assemble_below));
}

TEST_CASE("a path that refuses segmentation gets single datagrams, and runs again once it accepts them") {
  Pair pair;
  // The kernel segments only if it computes the checksum.
  const auto refuse = [&](int no_sums) {
    return setsockopt(pair.out.fd(), SOL_SOCKET, SO_NO_CHECK, &no_sums, sizeof(no_sums)) == 0;
  };
  REQUIRE(refuse(1));
  DatagramSender sender(pair.out);
  sender.set_datagram_bytes(1000);
  const Run run(20, 1000, 300);
  REQUIRE(sender.send(run.datagrams) == 20);
  CHECK(!sender.segmented());
  CHECK(pair.receive_all() == run.expected);

  for (int i = 0; i < 1500 && !sender.segmented(); ++i) {
    if (i == 500) REQUIRE(refuse(0));
    REQUIRE(sender.send(run.datagrams) == 20);
  }
  CHECK(sender.segmented());
  pair.receive_all();
  REQUIRE(sender.send(run.datagrams) == 20);
  CHECK(pair.receive_all() == run.expected);
}

TEST_CASE("datagrams come with their traffic class, beside all else that the kernel reports") {
  const bool ipv6 = GENERATE(false, true);
  const auto loopback = Address::parse(ipv6 ? "::1" : "127.0.0.1", 0).value();
  const auto in = UdpSocket::bind(loopback).value();
  const auto out = UdpSocket::bind(loopback).value();
  REQUIRE(in.set_receive_timeout(std::chrono::milliseconds{200}).has_value());
  REQUIRE(out.connect(in.local_address()).has_value());
  DatagramReceiver receiver(in);
  DatagramSender sender(out);
  sender.set_datagram_bytes(1000);
  const Run run(20, 1000, 1000);
  std::vector<std::byte> room(DatagramReceiver::run_bytes_max);
  iovec piece{room.data(), room.size()};
  const std::array<std::span<iovec>, 1> targets{std::span(&piece, 1)};
  for (const int traffic_class : {0, 46 << 2, (10 << 2) | 2, 3}) {
    CAPTURE(ipv6, traffic_class);
    REQUIRE(setsockopt(out.fd(), ipv6 ? IPPROTO_IPV6 : IPPROTO_IP, ipv6 ? IPV6_TCLASS : IP_TOS, &traffic_class,
                       sizeof(traffic_class)) == 0);
    REQUIRE(sender.send(run.datagrams) == 20);
    std::size_t datagrams = 0;
    for (auto runs = receiver.receive(targets); !runs.empty(); runs = receiver.receive(targets)) {
      REQUIRE(runs[0].traffic_class.has_value());
      CHECK(*runs[0].traffic_class == traffic_class);
      CHECK(runs[0].datagram_bytes == 1000);
      CHECK(runs[0].arrival != receiver.returned_at().wall);  // it is the kernel's
      datagrams += runs[0].datagrams();
    }
    CHECK(datagrams == 20);
  }
}

TEST_CASE("the number of datagrams of a run keeps to the kernel's limits") {
  const auto socket = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  DatagramSender sender(socket);
  sender.set_datagram_bytes(100);
  CHECK(sender.run_packets(7) == 7);
  CHECK(sender.run_packets(1000) == DatagramSender::run_packets_max);
  sender.set_datagram_bytes(8972);
  CHECK(sender.run_packets(64) == 7);
  sender.set_datagram_bytes(65'507);
  CHECK(sender.run_packets(64) == 1);
}

TEST_CASE("a missing peer does not count as a failure") {
  const auto socket = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  Address gone = Address::any(false, 0);
  { gone = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value().local_address(); }
  REQUIRE(socket.connect(gone).has_value());
  DatagramSender sender(socket);
  sender.set_datagram_bytes(500);
  const Run run(4, 500, 500);
  for (int i = 0; i < 5; ++i) CHECK(sender.send(run.datagrams) == 4);  // ICMP port unreachable arrives in between
}

TEST_CASE("datagrams that the kernel drops at a full socket are counted") {
  Pair pair;
  DatagramSender sender(pair.out);
  sender.set_datagram_bytes(8900);
  const Run run(7, 8900, 8900);
  std::size_t sent = 0;
  for (int i = 0; i < 400; ++i) sent += sender.send(run.datagrams);  // 25 MB, far beyond the default buffer
  auto received = pair.receive_all().size();
  REQUIRE(received < sent);
  // The count arrives with the next datagram.
  REQUIRE(sender.send(run.datagrams) == 7);
  received += pair.receive_all().size();
  REQUIRE(pair.receiver.counts_drops());
  CHECK(pair.dropped > 0);
  CHECK(pair.dropped <= sent + 7 - received);  // a run of several datagrams counts once
}

TEST_CASE("runs may carry their departure time, whether or not it is honoured") {
  Pair pair;
  DatagramSender sender(pair.out);
  sender.set_datagram_bytes(1000);
  if (!sender.carry_departures(CLOCK_MONOTONIC)) return;  // a kernel without SO_TXTIME
  const Run run(20, 1000, 300);
  REQUIRE(sender.send(run.datagrams, LocalClock::now().time_since_epoch()) == 20);
  CHECK(pair.receive_all() == run.expected);
}

TEST_CASE("with zero copy the same data arrives, and the kernel reports when the memory is free") {
  Pair pair;
  DatagramSender sender(pair.out, RunAssembly::kernel);
  const std::size_t size = GENERATE(std::size_t{1400}, std::size_t{8900});
  sender.set_datagram_bytes(size);
  if (!sender.set_zero_copy(true)) return;  // a kernel without it
  std::vector<std::vector<std::byte>> expected;
  std::vector<std::vector<std::byte>> received;
  for (int i = 0; i < 6; ++i) {
    // Long runs have more pieces than a packet has room for: they are copied, and the next ones are shorter.
    const Run run(sender.run_packets(64), size, size);
    REQUIRE(sender.send(run.datagrams) == run.datagrams.size());
    for (const auto& datagram : pair.receive_all()) received.push_back(datagram);
    expected.insert(expected.end(), run.expected.begin(), run.expected.end());
    CHECK(sender.zero_copy().done() == sender.zero_copy().sent());  // received: the memory is no longer in use
  }
  CHECK(received == expected);
  CHECK(sender.zero_copy().sent() > 2);
  CHECK(sender.zero_copy().copied() == sender.zero_copy().sent());  // loopback copies anyway
}

TEST_CASE("a packet that arrives just when the system's clock is set does not get a time hours away") {
  Pair pair;
  const auto set_by = GENERATE(-7200, 7200, 0);
  const auto reading = read_clocks();
  REQUIRE(reading.has_value());
  // The wall's clock continues; the offset between the system clock and the counter is already known.
  keep_wall_clock({reading->raw, WallTime{std::chrono::seconds{1'000'000}}, 0,
                   reading->system_less_raw() - std::chrono::seconds{set_by}, 1});
  const std::array<std::byte, 100> datagram{};
  const auto before = WallClock::now();
  REQUIRE(send(pair.out.fd(), datagram.data(), datagram.size(), 0) == 100);
  const auto runs = pair.receiver.receive(pair.targets);
  const auto after = WallClock::now();
  follow_system_clock();
  REQUIRE(runs.size() == 1);
  CHECK(runs[0].arrival > before - std::chrono::seconds{1});
  CHECK(runs[0].arrival <= after);
}
