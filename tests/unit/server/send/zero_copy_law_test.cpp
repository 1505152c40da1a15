// The laws of zero copy: a packet does not change before the card has read it, a frame buffer is not free before that,
// and the packets are those that a flow sends which copies. Frames lie in rows or in slots, are sent again, change
// their format and are resent, and cards read late and in any order.
#include "server/send/flow_sender.h"
#include "tests/support/law_rounds.h"
#include "tests/support/lone_flow.h"
#include "tests/support/network.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zero_copy_card.h"

#include "common/wire/parity_packet.h"
#include "common/wire/rtcp.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

using Bytes = std::vector<std::byte>;

constexpr unsigned width = 320, height = 80;
constexpr std::size_t pieces_max = 17;  // of a message that the kernel does not copy
constexpr double copied_s_per_byte = 1e-10, uncopied_s_per_byte = 4e-11;

class CardPort final : public StandInSocket {
public:
  CardPort(Timeline& timeline, Random& random, ZeroCopyCard::Break on_break)
      : StandInSocket(timeline, false), random_(random), card(timeline, std::move(on_break)) {}

  bool set(int level, int option, const void* value, socklen_t /*bytes*/) override {
    if (level == SOL_SOCKET && option == SO_ZEROCOPY) return true;
    if (level != IPPROTO_UDP || option != UDP_SEGMENT) return false;
    int bytes = 0;
    std::memcpy(&bytes, value, sizeof(bytes));
    segment_ = static_cast<std::size_t>(bytes);
    return true;
  }
  ssize_t send(const msghdr& message, int flags) override {
    const bool uncopied = (flags & MSG_ZEROCOPY) != 0;
    if (uncopied && message.msg_iovlen > pieces_max) return refuse(EMSGSIZE);
    if (uncopied && random_.once_in(50)) return refuse(ENOBUFS);
    const auto bytes = gathered(message);
    cpu_s += static_cast<double>(bytes.size()) * (uncopied ? uncopied_s_per_byte : copied_s_per_byte);
    if (uncopied && gathers)
      card.take(message,
                random_.once_in(40) ? Nanoseconds{60ms} : std::chrono::microseconds{random_.between(50, 2000)});
    else if (uncopied)
      card.copy();
    for (std::size_t at = 0; at < bytes.size(); at += segment_)
      keep(std::span(bytes).subspan(at, std::min(segment_, bytes.size() - at)));
    return static_cast<ssize_t>(bytes.size());
  }
  int send(std::span<mmsghdr> messages) override {
    for (const auto& message : messages) keep(gathered(message.msg_hdr));
    return static_cast<int>(messages.size());
  }
  int receive(std::span<mmsghdr> messages, int flags) override {
    return (flags & MSG_ERRQUEUE) != 0 ? card.give_notice(messages) : -1;
  }

private:
  static ssize_t refuse(int error) {
    errno = error;
    return -1;
  }
  void keep(std::span<const std::byte> datagram) {
    MediaPacket packet;
    ParityPacket parity;
    if (parse_parity_packet(datagram, parity).empty() || !parse_media_packet(datagram, packet).empty()) return;
    if (packet.resent)
      ++resent;
    else
      media[std::uint32_t{packet.sequence_upper} << 16U | packet.sequence] = {datagram.begin(), datagram.end()};
  }

  Random& random_;
  std::size_t segment_ = 0;

public:
  bool gathers = true;  // false: a virtual interface
  ZeroCopyCard card;
  std::map<std::uint32_t, Bytes> media;
  std::size_t resent = 0;
  double cpu_s = 0;  // of the thread
};

// Its thread needs time for sending only.
class SendingClock final : public HostClock {
public:
  SendingClock(const Timeline& timeline, const CardPort& port) : time_(timeline), port_(port) {}
  [[nodiscard]] Moment now() const override { return time_.now(); }
  [[nodiscard]] bool wall_clock_known() const override { return true; }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return 0; }
  [[nodiscard]] double thread_cpu_seconds() const override { return port_.cpu_s; }

private:
  TimelineClock time_;
  const CardPort& port_;
};

Wall wall_with(bool zero_copy, unsigned mtu, FecUse fec) {
  Wall wall;
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = width, .tile_height = height});
  put_on_one_node(wall);
  wall.streaming.mtu = mtu;
  wall.streaming.burst_packets = 7;
  wall.streaming.resend = true;
  wall.streaming.fec = fec;
  wall.streaming.packet_layout = PacketLayout::in_slots;
  wall.streaming.playout_delay = 100ms;
  wall.streaming.zero_copy = zero_copy;
  return wall;
}

struct Server {
  Server(const Wall& wall, Timeline& timeline, Random& random) : wall(wall) {
    auto port = std::make_unique<CardPort>(timeline, random, [this](const std::string& law) { broken.insert(law); });
    auto control_port = std::make_unique<StandInSocket>(timeline, false);
    media = port.get();
    control = control_port.get();
    SenderPorts ports;
    ports.clock = std::make_unique<SendingClock>(timeline, *port);
    ports.paths.push_back({std::move(port), std::move(control_port)});
    ports.numbers = lone_numbers;
    sender = FlowSender::make(wall, {0, {}, 0, height}, std::move(ports)).value();
    sender->begin(50us);
    sender->stand_alone(true);
  }
  // As playback does: a frame that is sent again is offered in the buffer in which it is kept.
  void offer(FrameToSend frame, bool in_slots) {
    if (newest == nullptr || newest->frame != frame.stamp.frame) {
      if (newest != nullptr) std::exchange(newest, nullptr)->release();
      newest = pool->take();
      if (newest == nullptr) return;
      fill(frame, in_slots);
    }
    frame.buffer = newest;
    frame.buffer->add_users(1);
    if (!sender->offer(frame)) frame.buffer->release();
  }
  void forget_newest() {
    if (newest != nullptr) std::exchange(newest, nullptr)->release();
  }
  [[nodiscard]] bool all_free() const {
    return std::ranges::all_of(pool->buffers(), [](const FrameBuffer& buffer) { return buffer.users == 0; });
  }

  const Wall& wall;
  std::set<std::string> broken;
  CardPort* media = nullptr;
  StandInSocket* control = nullptr;
  std::unique_ptr<FramePool> pool = FramePool::allocate(10, std::size_t{width} * height * 5).value();
  FrameBuffer* newest = nullptr;
  std::unique_ptr<FlowSender> sender;

private:
  // Pixels of a tick, among what was there before.
  void fill(const FrameToSend& frame, bool in_slots) const {
    const auto pixel = [&](std::size_t offset) { return static_cast<std::byte>(offset * 7 + frame.stamp.frame * 13U); };
    newest->frame = frame.stamp.frame;
    newest->in_slots = in_slots;
    newest->format = frame.format;
    if (!in_slots) {
      for (std::size_t i = 0; i < newest->capacity; ++i) newest->data[i] = pixel(i);
      return;
    }
    const auto slots = tile_slots(wall, {}, frame.format).value();
    const auto& band = slots.bands().front();
    band.slots.for_each_piece(0, band.slots.frame_bytes(),
                              [&](std::size_t offset, std::size_t place, std::size_t bytes) {
                                for (std::size_t i = 0; i < bytes; ++i) newest->data[place + i] = pixel(offset + i);
                              });
  }
};

// A line of frames, some of which are sent again, of formats that change now and then.
struct Frames {
  Random random;
  FrameCounts before{};
  PixelFormat format = PixelFormat::rgb8;
  std::uint16_t tick = 0;
  std::uint32_t frame = 0;
  bool in_slots = true;

  FrameToSend next(WallTime now, const WallStart& start, bool changes_format) {
    const bool again = tick > 0 && random.once_in(4);
    if (!again) {
      ++frame;
      if (changes_format && random.once_in(20)) change_format();
    }
    FrameToSend next{nullptr, {now, frame, 1, tick}, format, 33ms};
    next.start = &start;
    next.before = before;
    ++before[format];
    ++tick;
    return next;
  }
  // The buffers of this test hold no band that says its length.
  void change_format() {
    do format = static_cast<PixelFormat>(random.below(FrameCounts::formats));
    while (info(format).varies_in_length());
  }
};

void run(Timeline& timeline, std::span<Server> servers, Nanoseconds time) {
  for (const auto until = timeline.now().wall + time; timeline.now().wall < until;) {
    for (auto& server : servers) server.sender->step(timeline.now());
    timeline.run(timeline.now().wall + 200us, [] { return false; });
  }
}

// The receiver requests some packets that have left.
void ask(Server& server, Random& random) {
  if (server.media->media.empty()) return;
  const auto newest = server.media->media.rbegin()->first;
  std::vector<std::int64_t> missing(5);
  std::iota(missing.begin(), missing.end(), std::int64_t{newest} - static_cast<std::int64_t>(random.below(60)) - 5);
  std::array<std::byte, rtcp_bytes_max> room{};
  std::size_t taken = 0;
  ReportBlock block;
  block.source_ssrc = server.sender->stats().ssrc;
  block.highest_sequence = newest;
  const auto bytes = encode(ReceiverReport{1, block, std::nullopt}, "test", missing, room, taken);
  server.control->arrive(std::span(room).first(bytes), Address::parse("10.0.0.2", 50001).value(), false);
}

}  // namespace

TEST_CASE("no packet changes before the card has read it, and the same packets leave as with copies") {
  const auto seed = GENERATE(range(1U, 1 + law_rounds(3)));
  const auto mtu = GENERATE(600U, 9000U);
  const auto fec = GENERATE(FecUse::never, FecUse::always);
  const bool changes_format = GENERATE(false, true);
  const std::array walls{wall_with(true, mtu, fec), wall_with(false, mtu, fec)};
  const WallStart start{{static_cast<std::byte>(seed)}};
  Timeline timeline;
  Random of_cards(seed);
  Frames frames{Random(seed + 100)};
  std::array servers{Server(walls[0], timeline, of_cards), Server(walls[1], timeline, of_cards)};
  for (unsigned count = 0; count < 320; ++count) {
    if (frames.random.once_in(30)) frames.in_slots = !frames.in_slots;
    const auto frame = frames.next(timeline.now().wall, start, changes_format);
    for (auto& server : servers) {
      if (frames.random.once_in(12)) continue;  // not read in time
      server.offer(frame, frames.in_slots);
    }
    run(timeline, servers, 25ms);
    if (frames.random.once_in(3)) ask(servers.front(), frames.random);
    run(timeline, servers, 8ms);
  }
  for (auto& server : servers) server.forget_newest();
  run(timeline, servers, 500ms);

  auto& [uncopied, copied] = servers;
  CHECK(uncopied.broken.empty());
  CHECK(uncopied.media->card.sends() > 200);
  CHECK(uncopied.media->card.sends() == uncopied.sender->stats().zero_copy_calls);
  CHECK(copied.media->card.sends() == 0);
  CHECK(uncopied.media->resent > 50);
  std::size_t both = 0, different = 0;
  for (const auto& [number, datagram] : uncopied.media->media)
    if (const auto other = copied.media->media.find(number); other != copied.media->media.end()) {
      ++both;
      if (datagram != other->second) ++different;
    }
  CHECK(both > 800);
  CHECK(different == 0);
  for (auto& server : servers) {
    server.sender->end();
    CHECK(server.all_free());
  }
}

TEST_CASE("where the kernel copies after all, frames in slots and in rows are sent with copies") {
  const auto mtu = GENERATE(600U, 9000U);
  const auto wall = wall_with(true, mtu, FecUse::never);
  const WallStart start;
  Timeline timeline;
  Random of_card(5);
  Frames frames{Random(6)};
  std::array servers{Server(wall, timeline, of_card)};
  auto& server = servers.front();
  server.media->gathers = false;
  std::uint64_t calls = 0;
  for (const bool in_slots : {true, false, true}) {
    for (unsigned count = 0; count < ZeroCopyTrial::frames_of_each + 10; ++count) {
      server.offer(frames.next(timeline.now().wall, start, false), in_slots);
      run(timeline, servers, 33ms);
    }
    // One frame of each kind tries it.
    const auto tried = server.media->card.sends() - std::exchange(calls, server.media->card.sends());
    CHECK(tried <= 30);
    if (calls == tried) CHECK(tried > 0);
  }
}

TEST_CASE("encrypted packets are never sent from the frame") {
  const test::TemporaryFolder folder;
  folder.write("key", std::string(64, '1'));
  std::filesystem::permissions(folder.path / "key", std::filesystem::perms::owner_read);
  auto wall = wall_with(true, 600, FecUse::never);
  wall.streaming.srtp_key_file = folder.path / "key";
  const WallStart start;
  Timeline timeline;
  Random of_card(7);
  Frames frames{Random(8)};
  std::array servers{Server(wall, timeline, of_card)};
  for (unsigned count = 0; count < 2 * ZeroCopyTrial::frames_of_each + 10; ++count) {
    servers.front().offer(frames.next(timeline.now().wall, start, false), true);
    run(timeline, servers, 33ms);
  }
  CHECK(servers.front().sender->stats().packets > 1000);
  CHECK(servers.front().media->card.sends() == 0);
}
