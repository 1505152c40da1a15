// Pins a node's sound: what is played at a time is what was sent for it, whatever the network does to packets, and each
// packet is counted once.
#include "wall-client/sound/sound_receiver.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace lw {
namespace {

using namespace std::chrono_literals;

const WallTime begin{std::chrono::seconds{1'700'000'000}};
constexpr std::chrono::milliseconds delay = 80ms;

struct Arrived {
  Arrived(std::vector<std::byte> packet, const Address& sender = Address::any(false, 1))
      : bytes(std::move(packet)), source(sender) {}
  std::vector<std::byte> bytes;
  Address source;
};

// Hands over what has been put into it.
class Inbox final : public DatagramPort {
public:
  std::deque<Arrived> packets;

  int receive(std::span<mmsghdr> /*messages*/, int /*flags*/) override { return -1; }
  ssize_t send(const msghdr& /*message*/, int /*flags*/) override { return -1; }
  int send(std::span<mmsghdr> /*messages*/) override { return -1; }
  bool set(int /*level*/, int /*option*/, const void* /*value*/, socklen_t /*bytes*/) override { return true; }
  [[nodiscard]] int descriptor() const override { return -1; }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) override {
    if (packets.empty()) return std::nullopt;
    UdpSocket::Datagram datagram{};
    datagram.bytes = std::min(packets.front().bytes.size(), buffer.size());
    datagram.source = packets.front().source;
    std::copy_n(packets.front().bytes.begin(), datagram.bytes, buffer.begin());
    packets.pop_front();
    return datagram;
  }
  void send_to(const Address& /*peer*/, std::span<const std::byte> /*datagram*/) override {}
  void tell(std::span<const std::byte> /*datagram*/) override {}
  [[nodiscard]] std::uint32_t drops() const override { return 0; }
  [[nodiscard]] Moment now() const override { return {}; }
};

class Played final : public SoundOutput {
public:
  struct Part {
    std::vector<std::int32_t> samples;
    WallTime pts{}, played{};
    bool lost = false;
  };
  std::map<std::int64_t, Part> parts;  // by number
  Nanoseconds needs{0};

  void play(const PlayedSound& part) override {
    CHECK(part.first_sample % 48 == 0);
    CHECK((parts.empty() || parts.rbegin()->first < part.first_sample / 48));
    parts[part.first_sample / 48] = {{part.samples.begin(), part.samples.end()}, part.pts, part.played, part.lost};
  }
  [[nodiscard]] Nanoseconds lead() const override { return needs; }
  [[nodiscard]] std::string text() const override { return "a test"; }
};

std::vector<std::int32_t> samples_of(std::int64_t number, unsigned channels) {
  std::vector<std::int32_t> samples;
  for (unsigned i = 0; i < 48 * channels; ++i)
    samples.push_back(static_cast<std::int32_t>((number * 48 * channels + i) * 256));
  return samples;
}

std::vector<std::byte> packet_of(std::int64_t number, unsigned channels) {
  std::vector<std::byte> packet(sound_header_bytes + sound_payload_bytes(channels));
  write_header(sound_header_of(number * 48, channels, 5, 9), std::span(packet).first<sound_header_bytes>());
  write_samples(samples_of(number, channels), packet.data() + sound_header_bytes);
  return packet;
}

Moment at(WallTime time) { return {time, LocalTime{time.time_since_epoch()}}; }

struct Node {
  Wall wall;
  Inbox* inbox = nullptr;
  Played played;
  std::unique_ptr<SoundReceiver> receiver;

  Node() {
    wall.streaming.playout_delay = delay;
    auto port = std::make_unique<Inbox>();
    inbox = port.get();
    SoundReceiver::Ports ports{std::move(port), [] { return PlayoutRamp::constant(delay); }};
    receiver = std::make_unique<SoundReceiver>(wall, std::move(ports), played, std::nullopt);
  }
  // So many packets from one on, each at its time; `packet_at(number)` makes them. Returns when the last one was sent.
  WallTime send(WallTime now, std::int64_t from, std::int64_t count, auto packet_at) {
    for (auto number = from; number < from + count; ++number) {
      const auto sent = time_of_sample(number * 48);
      step_until(now, sent);
      now = sent;
      inbox->packets.push_back(packet_at(number));
    }
    return now;
  }
  // Steps whenever it asks for it.
  void step_until(WallTime from, WallTime end) {
    for (auto now = from; now < end;) {
      const auto wait = receiver->step(at(now));
      const auto next = WallTime{wait.until.time_since_epoch()};
      now = std::min(end, std::max(now + 100us, next));
    }
  }
};

TEST_CASE("what is played is what was sent for its time, under loss, reordering and duplicates") {
  std::mt19937 chance(31);
  const auto first = sample_from(begin) / 48;
  for (int round = 0; round < 20; ++round) {
    Node node;
    const unsigned channels = 1 + chance() % 8;
    const bool lossy = round % 2 == 1;
    std::multimap<WallTime, std::int64_t> arrivals;
    std::set<std::int64_t> in_time;
    std::uint64_t arrived = 0;
    const std::int64_t count = 1500;
    for (auto number = first; number < first + count; ++number) {
      const auto sent = time_of_sample(number * 48);
      const unsigned copies = chance() % 4 == 0 ? 2 : 1;
      for (unsigned copy = 0; copy < copies; ++copy) {
        if (lossy && chance() % 20 == 0) continue;
        const auto arrival = sent + std::chrono::microseconds{chance() % (lossy ? 100'000 : 40'000)};
        arrivals.emplace(arrival, number);
        ++arrived;
        if (arrival + 2ms < sent + delay) in_time.insert(number);
      }
    }
    auto now = begin;
    for (const auto& [arrival, number] : arrivals) {
      node.step_until(now, arrival);
      now = arrival;
      node.inbox->packets.push_back(packet_of(number, channels));
    }
    node.step_until(now, begin + 3s);
    const auto& played = node.played.parts;
    REQUIRE_FALSE(played.empty());
    std::uint64_t lost = 0;
    for (const auto& [number, part] : played) {
      if (part.lost) ++lost;
      CHECK(part.samples == (part.lost ? std::vector<std::int32_t>(48 * channels) : samples_of(number, channels)));
      CHECK(part.pts == time_of_sample(number * 48) + delay);
      CHECK(part.played >= part.pts);
      CHECK(part.played < part.pts + 2ms);
    }
    // From the first one on, all that came in time was played.
    for (const auto number : in_time)
      if (number >= played.begin()->first) {
        REQUIRE(played.contains(number));
        CHECK_FALSE(played.at(number).lost);
      }
    const auto stats = node.receiver->stats();
    CHECK(stats.received == arrived);
    CHECK(stats.lost == lost);
    CHECK(stats.played + stats.lost == played.size());
    CHECK(stats.received == stats.played + stats.skipped + stats.duplicate + stats.late + stats.invalid);
    if (!lossy) CHECK(lost == 0);
  }
}

// It does not know yet what the wall plays now, and its packets may come first.
TEST_CASE("a server that was cut off is not heard before the one that was there") {
  const auto stays = Address::parse("10.0.0.1", 9000).value(), returns = Address::parse("10.0.0.2", 9000).value();
  const auto first = sample_from(begin) / 48;
  const auto other = [](std::int64_t number) {
    auto packet = packet_of(number, 2);
    write_samples(samples_of(number + 7, 2), packet.data() + sound_header_bytes);
    return packet;
  };
  for (const std::int64_t cut : {40, 250, 3000}) {
    Node node;
    auto now = begin;
    std::int64_t number = first;
    // Both play the same; then one of them is away while the wall goes on to something else; then the other one dies.
    for (const auto end = first + 1000 + cut + 2000; number < end; ++number) {
      const auto sent = time_of_sample(number * 48);
      node.step_until(now, sent);
      now = sent;
      const bool before = number < first + 1000, after = number >= first + 1000 + cut;
      if (before) node.inbox->packets.push_back({packet_of(number, 2), returns});
      if (after) node.inbox->packets.push_back({other(number), returns});
      if (number < end - 500) node.inbox->packets.push_back({packet_of(number, 2), stays});
    }
    node.step_until(now, now + 1s);
    REQUIRE(node.played.parts.size() == static_cast<std::size_t>(number - first));
    for (const auto& [played, part] : node.played.parts)
      CHECK(part.samples == samples_of(played < number - 500 ? played : played + 7, 2));
    const auto stats = node.receiver->stats();
    CHECK(stats.lost == 0);
    CHECK(stats.received == stats.played + stats.duplicate);
  }
}

TEST_CASE("a stream that ends is not lost sound, and another one begins at its time") {
  Node node;
  const auto first = sample_from(begin) / 48;
  const auto stereo = [](std::int64_t number) { return packet_of(number, 2); };
  node.step_until(node.send(begin, first, 200, stereo), begin + 2s);
  node.step_until(node.send(begin + 2s, first + 2000, 200, stereo), begin + 4s);
  const auto stats = node.receiver->stats();
  CHECK(stats.played == 400);
  CHECK(stats.lost == 0);
  CHECK(node.played.parts.size() == 400);
}

TEST_CASE("datagrams that are no sound, or of another time, are counted and change nothing") {
  Node node;
  const auto first = sample_from(begin) / 48;
  node.inbox->packets.push_back(std::vector<std::byte>(100));
  node.inbox->packets.push_back(packet_of(first + 100'000, 2));  // far ahead
  node.inbox->packets.push_back(packet_of(first - 1000, 2));     // long past
  node.step_until(begin, begin + 1s);
  CHECK(node.played.parts.empty());
  const auto stats = node.receiver->stats();
  CHECK(stats.received == 3);
  CHECK(stats.invalid == 2);
  CHECK(stats.late == 1);
}

TEST_CASE("a level changes what is played without a jump, and none changes nothing") {
  Node node;
  const auto first = sample_from(begin) / 48;
  const auto constant = [](std::int64_t number) {
    auto packet = packet_of(number, 1);
    write_samples(std::vector<std::int32_t>(48, 1 << 30), packet.data() + sound_header_bytes);
    return packet;
  };
  auto now = node.send(begin, first, 200, constant);
  node.receiver->set_gain(0.25);
  now = node.send(now, first + 200, 200, constant);
  node.receiver->set_gain(0);
  now = node.send(now, first + 400, 200, constant);
  node.receiver->set_gain(1);
  now = node.send(now, first + 600, 200, constant);
  node.step_until(now, now + 500ms);
  std::int32_t before = 1 << 30;
  std::set<std::int32_t> steady;
  for (const auto& [number, part] : node.played.parts) {
    if (part.samples.front() == part.samples.back()) steady.insert(part.samples.front());
    for (const auto sample : part.samples) {
      CHECK(std::abs(sample - before) <= (1 << 30) / 900);  // 5 % in 48 samples
      before = sample;
    }
  }
  CHECK(steady == std::set<std::int32_t>{0, 1 << 28, 1 << 30});
  CHECK(before == 1 << 30);
}

TEST_CASE("the level of what is played is measured, and absent when nothing plays") {
  Node node;
  const auto first = sample_from(begin) / 48;
  CHECK_FALSE(node.receiver->stats().peak_dbfs.has_value());
  const auto half_then_silent = [&](std::int64_t number) {
    auto packet = packet_of(number, 2);
    std::vector<std::int32_t> samples(96);
    if (number < first + 300) samples[7] = -(1 << 30);
    write_samples(samples, packet.data() + sound_header_bytes);
    return packet;
  };
  auto now = node.send(begin, first, 251, half_then_silent);
  CHECK(node.receiver->stats().peak_dbfs.value() == Approx(-6.02).margin(0.01));
  now = node.send(now, first + 251, 349, half_then_silent);
  CHECK(node.receiver->stats().peak_dbfs == silence_dbfs);
  node.step_until(now, now + 1s);
  CHECK_FALSE(node.receiver->stats().peak_dbfs.has_value());
}

// But never so early that packets have no time to come.
TEST_CASE("an output gets its parts as early as it needs them") {
  for (const auto& [needs, early] : {std::pair{30ms, 30ms}, std::pair{500ms, 60ms}}) {
    Node node;
    node.played.needs = needs;
    const auto first = sample_from(begin) / 48;
    const auto now = node.send(begin, first, 300, [](std::int64_t number) { return packet_of(number, 2); });
    node.step_until(now, begin + 1s);
    CHECK(node.receiver->stats().played == 300);
    for (const auto& [number, part] : node.played.parts) {
      CHECK(part.pts == time_of_sample(number * 48) + delay);
      CHECK(part.played >= part.pts - early);
      CHECK(part.played < part.pts - early + 2ms);
    }
  }
}

TEST_CASE("after the clock was set back sound continues, and nothing of before is heard") {
  for (const Nanoseconds back : {Nanoseconds{150ms}, Nanoseconds{1h}}) {
    Node node;
    const auto set = node.send(begin, sample_from(begin) / 48, 300, [](auto number) { return packet_of(number, 2); });
    node.played.parts.clear();
    const auto other = [](std::int64_t number) {
      auto packet = packet_of(number, 2);
      write_samples(samples_of(number + 7, 2), packet.data() + sound_header_bytes);
      return packet;
    };
    LocalTime next{};
    for (auto now = set; now < set + 500ms; now += 1ms) {
      const Moment moment{now - back, LocalTime{now.time_since_epoch()}};
      node.inbox->packets.push_back(other(sample_from(moment.wall) / 48));
      if (moment.local >= next) next = node.receiver->step(moment).until;
    }
    CHECK(node.played.parts.size() > 300);
    for (const auto& [number, part] : node.played.parts)
      if (!part.lost) CHECK(part.samples == samples_of(number + 7, 2));
    CHECK(node.receiver->stats().lost <= 1);
  }
}

TEST_CASE("a node that did not run goes on with the present") {
  Node node;
  const auto first = sample_from(begin) / 48;
  for (std::int64_t i = 0; i < 60; ++i) node.inbox->packets.push_back(packet_of(first + i, 2));
  node.receiver->step(at(begin + 60ms));
  node.step_until(begin + 60ms, begin + 100ms);
  node.step_until(begin + 135ms, begin + 300ms);
  const auto stats = node.receiver->stats();
  CHECK(stats.skipped > 0);
  CHECK(stats.played + stats.skipped == 60);
  for (const auto& [number, part] : node.played.parts) CHECK(part.played - part.pts <= 20ms);
}

}  // namespace
}  // namespace lw
