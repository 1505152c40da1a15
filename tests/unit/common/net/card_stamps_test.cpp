// Which of a message's time stamps DatagramReceiver uses, from control messages like the kernel's; and that the
// kernel's own stamps count where no card is.
#include "common/base/timespec.h"
#include "common/net/datagram_receiver.h"

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <deque>
#include <thread>

using namespace lw;
using namespace std::chrono_literals;

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

namespace {

const Moment now_here{WallTime{1'700'000'000s}, LocalTime{1000s}};

// Gives one message for each pair of stamps: the kernel's and the card's, 0 for none.
class StampingPort final : public DatagramPort {
public:
  struct Stamped {
    Nanoseconds kernel, card;
    int segment = 0;
  };
  std::deque<Stamped> waiting;

  int receive(std::span<mmsghdr> messages, int /*flags*/) override {
    int count = 0;
    for (auto& message : messages) {
      if (waiting.empty()) break;
      fill(message.msg_hdr, waiting.front());
      message.msg_len = 1000;
      waiting.pop_front();
      ++count;
    }
    return count == 0 ? -1 : count;
  }
  ssize_t send(const msghdr&, int) override { return -1; }
  int send(std::span<mmsghdr>) override { return -1; }
  bool set(int, int, const void*, socklen_t) override { return false; }
  [[nodiscard]] int descriptor() const override { return -1; }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte>) override { return {}; }
  void send_to(const Address&, std::span<const std::byte>) override {}
  void tell(std::span<const std::byte>) override {}
  [[nodiscard]] std::uint32_t drops() const override { return 0; }
  [[nodiscard]] Moment now() const override { return now_here; }

private:
  static void fill(msghdr& header, const Stamped& stamped) {
    const auto room = header.msg_controllen;
    auto* entry = CMSG_FIRSTHDR(&header);
    const auto put = [&](int level, int type, const auto& value) {
      entry->cmsg_level = level;
      entry->cmsg_type = type;
      entry->cmsg_len = CMSG_LEN(sizeof(value));
      std::memcpy(CMSG_DATA(entry), &value, sizeof(value));
      header.msg_controllen += CMSG_SPACE(sizeof(value));
      entry = reinterpret_cast<cmsghdr*>(reinterpret_cast<std::byte*>(entry) + CMSG_SPACE(sizeof(value)));
    };
    header.msg_controllen = 0;
    // The kernel omits the message if there is neither.
    if (stamped.kernel != 0ns || stamped.card != 0ns)
      put(SOL_SOCKET, SO_TIMESTAMPING,
          scm_timestamping{{to_timespec(stamped.kernel), timespec{}, to_timespec(stamped.card)}});
    if (stamped.segment > 0) put(IPPROTO_UDP, UDP_GRO, stamped.segment);
    REQUIRE(header.msg_controllen <= room);
    const auto source = Address::parse("10.0.0.1", 40'000).value();
    std::memcpy(header.msg_name, source.raw(), source.raw_bytes());
  }
};

struct Received {
  StampingPort port;
  std::shared_ptr<CardLines> lines = std::make_shared<CardLines>();
  DatagramReceiver receiver{port, 0us, false, lines};
  std::array<std::byte, 1000> room{};
  iovec piece{room.data(), room.size()};
  std::array<std::span<iovec>, 1> targets{std::span(&piece, 1)};

  ReceivedRun take(StampingPort::Stamped stamped) {
    port.waiting.push_back(stamped);
    const auto runs = receiver.receive(targets);
    REQUIRE(runs.size() == 1);
    return runs[0];
  }
};

constexpr Nanoseconds now = 1'700'000'000s;
constexpr Nanoseconds tai = 37s;  // by which the card is ahead

CardLine line_at(Nanoseconds card) { return {card, tai, 100e-6, 700ns, true}; }

}  // namespace

TEST_CASE("the card's stamp counts, as system time by the newest line") {
  Received received;
  received.lines->publish(line_at(now + tai - 10ms));
  auto run = received.take({now - 50us, now + tai - 100us});
  CHECK(run.by_card);
  CHECK(run.arrival == WallTime{now - 100us - 990ns});  // 9.9 ms after the reading, 100 ppm
  received.lines->publish(line_at(now + tai - 100us));
  run = received.take({now - 50us, now + tai - 100us});
  CHECK(run.arrival == WallTime{now - 100us});
  CHECK(received.receiver.card_stamped() == 2U);
  CHECK(received.receiver.card_error() == Nanoseconds(700ns));
}

TEST_CASE("of coalesced datagrams, all have the stamp of the first") {
  Received received;
  received.lines->publish(line_at(now + tai));
  CHECK(received.take({now - 50us, now + tai - 100us, 300}).datagrams() == 4);
  CHECK(received.receiver.card_stamped() == 4U);
}

TEST_CASE("without a possible stamp of the card, the kernel's counts; without both, the time of the call") {
  Received received;
  const WallTime kernel{now - 50us};
  // No line yet.
  auto run = received.take({now - 50us, now + tai - 100us});
  CHECK(run.arrival == kernel);
  CHECK_FALSE(run.by_card);
  received.lines->publish(line_at(now + tai));
  for (const auto impossible : {0ns, Nanoseconds(now + tai + 2ms), Nanoseconds(now + tai - 3s), Nanoseconds(5s)}) {
    CAPTURE(impossible.count());
    run = received.take({now - 50us, impossible});
    CHECK(run.arrival == kernel);
    CHECK_FALSE(run.by_card);
    run = received.take({0ns, impossible});
    CHECK(run.arrival == WallTime{now});
    run = received.take({now + 1h, impossible});
    CHECK(run.arrival == WallTime{now});
  }
  CHECK(received.receiver.card_stamped() == 0U);
}

TEST_CASE("where no card stamps, arrivals are the kernel's, beside all else that it reports") {
  const auto in = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  const auto out = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  REQUIRE(in.set_receive_timeout(200ms).has_value());
  REQUIRE(out.connect(in.local_address()).has_value());
  SocketPort port(in);
  const auto lines = std::make_shared<CardLines>();
  lines->publish({now, 0ns, 0, 0ns, true});
  DatagramReceiver receiver(port, 0us, DatagramReceiver::prepare(in, {.card_times = true}), lines);
  std::array<std::byte, 1000> room{};
  iovec piece{room.data(), room.size()};
  const std::array<std::span<iovec>, 1> targets{std::span(&piece, 1)};
  // The kernel begins to stamp some time after it was asked to.
  bool by_kernel = false;
  for (int i = 0; i < 1000 && !by_kernel; ++i) {
    const auto before = WallClock::now();
    REQUIRE(send(out.fd(), room.data(), 100, 0) == 100);
    const auto runs = receiver.receive(targets);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].arrival >= before);
    CHECK_FALSE(runs[0].by_card);
    CHECK(runs[0].traffic_class == std::uint8_t{0});
    by_kernel = runs[0].arrival < receiver.returned_at().wall;
    if (!by_kernel) std::this_thread::sleep_for(5ms);
  }
  CHECK(by_kernel);
  CHECK(receiver.card_stamped() == 0U);
}

TEST_CASE("a receiver without a card counts no stamps of one") {
  const auto in = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  const DatagramReceiver receiver(in);
  CHECK_FALSE(receiver.card_stamped());
  CHECK_FALSE(receiver.card_error());
}
