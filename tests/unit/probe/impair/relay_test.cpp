// Pins the relay over real sockets: what is not impaired arrives as it was sent, what is impaired is counted, and
// answers find their way back.
#include "probe/impair/relay.h"

#include "tests/support/ports.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

UdpSocket bound(std::uint16_t port) {
  auto socket = UdpSocket::bind(Address::parse("127.0.0.1", port).value()).value();
  REQUIRE(socket.set_receive_timeout(200ms).has_value());
  [[maybe_unused]] const auto granted = socket.grow_receive_buffer(std::size_t{8} << 20U);
  socket.stamp_arrivals();
  return socket;
}

// Counts come every 10 ms, and later on a busy machine.
template <class Condition>
void wait_for(Condition condition) {
  for (int i = 0; i < 1000 && !condition(); ++i) std::this_thread::sleep_for(5ms);
}

struct Path {
  std::uint16_t first = free_even_ports(4);
  UdpSocket target = bound(static_cast<std::uint16_t>(first + 2));
  UdpSocket source = bound(0);
  std::unique_ptr<Relay> relay;

  explicit Path(const Impairment& forward, unsigned ports = 1) {
    RelaySettings settings;
    settings.listen_port = first;
    settings.target_port = static_cast<std::uint16_t>(first + 2);
    settings.ports = ports;
    settings.forward = forward;
    relay = Relay::start(settings).value();
    REQUIRE(source.connect(Address::parse("127.0.0.1", first).value()).has_value());
  }
  // Numbered packets, each full of its number.
  void send(std::uint32_t from, std::uint32_t to, std::size_t bytes = 400) const {
    for (std::uint32_t number = from; number < to; ++number) {
      const std::vector<std::uint32_t> words(bytes / 4, number);
      REQUIRE(::send(source.fd(), words.data(), bytes, 0) == static_cast<ssize_t>(bytes));
      if (number % 16 == 15) std::this_thread::sleep_for(200us);
    }
  }
  struct Got {
    std::uint32_t number = 0;
    bool unchanged = false;
    WallTime time{};
  };
  std::vector<Got> receive_all(std::chrono::milliseconds patience = 150ms) const {
    std::vector<Got> all;
    std::array<std::byte, 9000> buffer{};
    for (auto last = LocalClock::now(); LocalClock::now() - last < patience;) {
      const auto got = target.receive_now(buffer);
      if (!got) {
        std::this_thread::sleep_for(100us);
        continue;
      }
      last = LocalClock::now();
      std::vector<std::uint32_t> words(got->bytes / 4);
      std::memcpy(words.data(), buffer.data(), got->bytes);
      const bool unchanged = std::ranges::all_of(words, [&](auto word) { return word == words.front(); });
      all.push_back({words.front(), unchanged, got->arrival});
    }
    return all;
  }
};

}  // namespace

TEST_CASE("a good path changes nothing, not even the order") {
  const Path path({});
  path.send(0, 3000);
  const auto got = path.receive_all();
  REQUIRE(got.size() == 3000);
  for (std::uint32_t i = 0; i < 3000; ++i) REQUIRE((got[i].number == i && got[i].unchanged));
}

TEST_CASE("packets of all lengths pass") {
  const Path path({});
  for (const std::size_t bytes : {4U, 1400U, 700U, 8000U, 4U, 4U, 8972U})
    path.send(static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(bytes) + 1, bytes);
  const auto got = path.receive_all();
  REQUIRE(got.size() == 7);
  CHECK(std::ranges::all_of(got, &Path::Got::unchanged));
  CHECK(path.relay->forward_counts().bytes == 4 + 1400 + 700 + 8000 + 4 + 4 + 8972);
}

TEST_CASE("every packet is delayed by at least the configured time") {
  Impairment impairment;
  impairment.delay = 30ms;
  const Path path(impairment);
  const auto sent = WallClock::now();
  path.send(0, 100);
  const auto ended = WallClock::now();
  const auto got = path.receive_all();
  REQUIRE(got.size() == 100);
  CHECK(got.front().time - sent >= 30ms);
  const auto late = Nanoseconds{static_cast<std::int64_t>(*path.relay->forward_times().late.max())};  // if it stalled
  CHECK(got.front().time - sent < 30ms + 20ms + late);
  CHECK(got.back().time >= ended - 1ms + 29ms);
}

TEST_CASE("losses, copies and changes match the counts") {
  Impairment impairment;
  impairment.loss = 0.05;
  impairment.duplicate = 0.05;
  impairment.corrupt = 0.05;
  const Path path(impairment);
  path.send(0, 4000);
  const auto got = path.receive_all();
  std::this_thread::sleep_for(30ms);  // counts are published every 10 ms
  const auto counts = path.relay->forward_counts();
  CHECK(counts.received == 4000);
  CHECK(counts.lost > 100);
  CHECK(counts.lost < 320);
  CHECK(got.size() == counts.forwarded);
  CHECK(counts.forwarded == counts.received - counts.lost + counts.duplicated);
  CHECK(static_cast<std::uint64_t>(std::ranges::count_if(got, [](const auto& one) { return !one.unchanged; })) ==
        counts.corrupted);
}

TEST_CASE("a packet that is held back arrives after the configured number of others") {
  Impairment impairment;
  impairment.reorder = 0.01;
  impairment.reorder_by = 64;
  const Path path(impairment);
  path.send(0, 4000);
  const auto got = path.receive_all();
  REQUIRE(got.size() == 4000);
  std::map<std::uint32_t, std::size_t> place;
  for (std::size_t i = 0; i < got.size(); ++i) place[got[i].number] = i;
  std::size_t late = 0;
  for (std::uint32_t number = 0; number + 200 < 4000; ++number) {
    std::size_t overtaken_by = 0;
    for (std::uint32_t other = number + 1; other < number + 200; ++other) overtaken_by += place[other] < place[number];
    if (overtaken_by <= 3) continue;  // only overtaken by the few after it that were not held back
    ++late;
    CHECK(overtaken_by >= 60);
    CHECK(overtaken_by <= 66);
  }
  CHECK(late > 15);
}

TEST_CASE("answers go back to the last sender") {
  const Path path({});
  path.send(7, 8);
  std::array<std::byte, 100> buffer{};
  for (int i = 0; i < 1000; ++i) {
    if (const auto got = path.target.receive_now(buffer)) {
      const char answer[] = "heard";
      REQUIRE(sendto(path.target.fd(), answer, sizeof(answer), 0, got->source.raw(), got->source.raw_bytes()) > 0);
      break;
    }
    std::this_thread::sleep_for(1ms);
  }
  REQUIRE(recv(path.source.fd(), buffer.data(), buffer.size(), 0) == 6);
  CHECK(std::memcmp(buffer.data(), "heard", 6) == 0);
}

TEST_CASE("a path can be impaired and restored while packets flow") {
  const Path path({});
  Impairment cut;
  cut.loss = 1;
  path.send(0, 10);
  CHECK(path.receive_all().size() == 10);
  path.relay->change(cut, {});
  std::this_thread::sleep_for(50ms);
  path.send(10, 20);
  CHECK(path.receive_all().empty());
  path.relay->change({}, {});
  std::this_thread::sleep_for(50ms);
  path.send(20, 30);
  CHECK(path.receive_all().size() == 10);
}

TEST_CASE("packets beyond the relay's memory are counted separately from intended losses") {
  Impairment impairment;
  impairment.delay = 300ms;
  RelaySettings settings;
  settings.listen_port = free_even_ports(2);
  settings.target_port = static_cast<std::uint16_t>(settings.listen_port + 1);
  settings.forward = impairment;
  settings.memory_bytes = 1;  // the least: 64 packets
  const auto relay = Relay::start(settings).value();
  const auto source = bound(0);
  REQUIRE(source.connect(Address::parse("127.0.0.1", settings.listen_port).value()).has_value());
  for (int i = 0; i < 100; ++i) REQUIRE(::send(source.fd(), "packet", 6, 0) == 6);
  std::this_thread::sleep_for(100ms);
  CHECK(relay->forward_counts().no_room == 36);
}

TEST_CASE("packets that the relay's socket dropped are counted, also if no packet follows") {
  const auto in = bound(0);
  const auto out = bound(0);
  const auto source = bound(0);
  REQUIRE(source.connect(in.local_address()).has_value());
  REQUIRE(out.connect(source.local_address()).has_value());
  const std::vector<std::byte> packet(8000);
  constexpr std::uint64_t sent = 5000;  // more than the buffer holds before anybody reads it
  for (std::uint64_t i = 0; i < sent; ++i) REQUIRE(::send(source.fd(), packet.data(), packet.size(), 0) == 8000);
  const RelayLane lane("lane", {&in, &out, {}, {}}, {}, 1, 64);
  wait_for([&] { return lane.counts().received + lane.counts().socket_dropped.value_or(0) >= sent; });
  const auto counts = lane.counts();
  REQUIRE(counts.socket_dropped.has_value());
  CHECK(*counts.socket_dropped > 0);
  CHECK(counts.received + *counts.socket_dropped == sent);
  CHECK(counts.own_drops() == *counts.socket_dropped + counts.no_room + counts.unsendable);
}

TEST_CASE("the achieved delays and the lateness of departures are measured") {
  Impairment impairment;
  impairment.delay = 20ms;
  impairment.duplicate = 0.5;
  const Path path(impairment);
  path.send(0, 200);
  CHECK(path.receive_all().size() > 200);
  wait_for([&] { return path.relay->forward_counts().forwarded == path.relay->forward_times().delay.count(); });
  const auto times = path.relay->forward_times();
  CHECK(times.delay.count() == path.relay->forward_counts().forwarded);
  CHECK(*times.delay.quantile(0) >= 20e6 * 0.996);  // a quantile's error
  // The arrival is of the system's clock, which may be set while this runs.
  CHECK(*times.delay.mean() == Approx(20e6 + *times.late.mean()).margin(1e4));
  CHECK(*times.late.max() >= *times.late.quantile(0.5));
  CHECK(path.relay->backward_times().delay.count() == 0);
}

TEST_CASE("ports can share the rate of one link") {
  const bool share_rate = GENERATE(false, true);
  RelaySettings settings;
  settings.listen_port = free_even_ports(4);
  settings.target_port = static_cast<std::uint16_t>(settings.listen_port + 2);
  settings.ports = 2;
  settings.share_rate = share_rate;
  settings.forward.rate = BitRate{80e3};  // a packet of 1000 bytes takes 100 ms
  settings.forward.queue = 1s;            // ten wait, and one is on its way
  const auto relay = Relay::start(settings).value();
  const auto source = bound(0);
  const std::vector<std::byte> packet(1000);
  for (int i = 0; i < 50; ++i)
    for (const int port : {0, 1}) {
      const auto to = Address::parse("127.0.0.1", static_cast<std::uint16_t>(settings.listen_port + port)).value();
      REQUIRE(sendto(source.fd(), packet.data(), packet.size(), 0, to.raw(), to.raw_bytes()) == 1000);
    }
  wait_for([&] { return relay->forward_counts().received == 100; });
  const auto counts = relay->forward_counts();
  CHECK(counts.received == 100);
  const auto passed = counts.received - counts.queue_full;
  // A stall of 100 ms lets one more pass.
  CHECK(passed >= (share_rate ? 11 : 22));
  CHECK(passed <= (share_rate ? 16 : 32));
}

TEST_CASE("the way back holds as many packets as the way there") {
  Impairment slow;
  slow.delay = 2s;
  RelaySettings settings;
  settings.listen_port = free_even_ports(2);
  settings.target_port = static_cast<std::uint16_t>(settings.listen_port + 1);
  settings.backward = slow;
  const auto target = bound(settings.target_port);
  const auto source = bound(0);
  const auto relay = Relay::start(settings).value();
  REQUIRE(source.connect(Address::parse("127.0.0.1", settings.listen_port).value()).has_value());
  REQUIRE(::send(source.fd(), "hello", 5, 0) == 5);
  std::array<std::byte, 100> buffer{};
  std::optional<UdpSocket::Datagram> got;
  for (int i = 0; i < 1000 && !got; ++i, got = target.receive_now(buffer)) std::this_thread::sleep_for(1ms);
  REQUIRE(got);
  for (int i = 0; i < 6000; ++i) {
    REQUIRE(sendto(target.fd(), "answer", 6, 0, got->source.raw(), got->source.raw_bytes()) == 6);
    if (i % 16 == 15) std::this_thread::sleep_for(200us);
  }
  wait_for([&] { return relay->backward_counts().received > 5000; });
  const auto counts = relay->backward_counts();
  CHECK(counts.received > 5000);
  CHECK(counts.no_room == 0);
}

TEST_CASE("a port in use is reported") {
  const Path path({});
  RelaySettings settings;
  settings.listen_port = path.first;
  settings.target_port = 9;
  const auto second = Relay::start(settings);
  REQUIRE(!second);
  CHECK_THAT(second.error().text(), Catch::Contains(std::to_string(path.first)));
}
