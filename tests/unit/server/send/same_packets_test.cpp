// The law of several servers: whoever knows the wall's start and its line sends the same packets, whichever frames each
// of them missed. What one did not send has numbers that the other uses.
#include "server/send/flow_sender.h"
#include "tests/support/lone_flow.h"
#include "tests/support/network.h"
#include "tests/support/stand_in_socket.h"

#include "common/wire/parity_packet.h"

#include <catch2/catch.hpp>

#include <deque>
#include <map>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

using Bytes = std::vector<std::byte>;

constexpr unsigned width = 64, height = 80;

// Keeps what leaves, by its number.
class KeepingPort final : public StandInSocket {
public:
  explicit KeepingPort(Timeline& timeline) : StandInSocket(timeline, false) {}

  ssize_t send(const msghdr& message, int /*flags*/) override {
    const auto datagram = gathered(message);
    MediaPacket packet;
    ParityPacket with_parity;
    if (parse_parity_packet(datagram, with_parity).empty())
      parity[with_parity.sequence] = datagram;
    else if (parse_media_packet(datagram, packet).empty())
      media[std::uint32_t{packet.sequence_upper} << 16U | packet.sequence] = datagram;
    return static_cast<ssize_t>(datagram.size());
  }
  int send(std::span<mmsghdr> messages) override {
    for (const auto& message : messages) send(message.msg_hdr, 0);
    return static_cast<int>(messages.size());
  }

  std::map<std::uint32_t, Bytes> media;
  std::map<std::uint16_t, Bytes> parity;
};

struct Server {
  KeepingPort* media = nullptr;
  std::unique_ptr<FramePool> pool = FramePool::allocate(64, std::size_t{width} * height * 4).value();
  std::unique_ptr<FlowSender> sender;
};

Wall wall_of_two(FecUse fec, PacketLayout layout) {
  Wall wall;
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = width, .tile_height = height});
  put_on_one_node(wall);
  wall.streaming.mtu = 600;
  wall.streaming.resend = true;
  wall.streaming.fec = fec;
  wall.streaming.packet_layout = layout;
  wall.streaming.playout_delay = 400ms;
  wall.servers.front().name = "first";
  auto standby = wall.servers.front();
  standby.name = "second";
  standby.standby_for = "first";
  standby.standby = Standby::hot;
  standby.interfaces = {"10.0.0.3"};
  wall.servers.push_back(standby);
  return wall;
}

// A line whose frames change their format now and then.
struct Frames {
  Random random;
  FrameCounts before{};
  PixelFormat format = PixelFormat::rgb8;
  std::deque<PixelFormat> coming{};
  std::uint16_t tick = 0;

  FrameToSend next(WallTime now, const WallStart& start) {
    ahead(1);
    FrameToSend frame{nullptr, {now, tick, 1, tick}, coming.front(), 33ms};
    frame.start = &start;
    frame.before = before;
    ++before[coming.front()];
    coming.pop_front();
    ++tick;
    return frame;
  }
  // Those due before the frame that comes after so many others.
  FrameCounts ahead(std::size_t frames) {
    while (coming.size() < frames) {
      if (random.once_in(20)) format = static_cast<PixelFormat>(random.below(FrameCounts::formats));
      coming.push_back(format);
    }
    auto counts = before;
    for (std::size_t i = 0; i < frames; ++i) ++counts[coming[i]];
    return counts;
  }
};

// The pixels of a tick: row behind row, or in slots among what was there before.
void fill(FrameBuffer& buffer, std::uint16_t tick, const std::optional<TileSlots>& slots) {
  const auto pixel = [tick](std::size_t offset) { return static_cast<std::byte>(offset * 7 + tick * 13U); };
  buffer.in_slots = slots.has_value();
  if (!slots) {
    for (std::size_t i = 0; i < buffer.capacity; ++i) buffer.data[i] = pixel(i);
    return;
  }
  const auto& band = slots->bands().front();
  band.slots.for_each_piece(0, band.slots.frame_bytes(), [&](std::size_t offset, std::size_t place, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) buffer.data[place + i] = pixel(offset + i);
  });
}

}  // namespace

TEST_CASE("two servers that know the line send the same packets, whichever frames each of them misses") {
  const auto seed = GENERATE(1U, 2U, 3U, 4U);
  const auto fec = GENERATE(FecUse::always, FecUse::needed);
  const auto layout = GENERATE(PacketLayout::in_rows, PacketLayout::in_slots);
  const auto wall = wall_of_two(fec, layout);
  const auto start = WallStart::random();
  Timeline timeline;
  Frames frames{Random(seed)};
  std::array<Server, 2> servers;
  for (std::size_t i = 0; i < servers.size(); ++i) {
    auto media = std::make_unique<KeepingPort>(timeline);
    servers[i].media = media.get();
    SenderPorts ports;
    ports.server = wall.servers[i].name;
    ports.paths.push_back({std::move(media), std::make_unique<StandInSocket>(timeline, false)});
    ports.clock = std::make_unique<TimelineClock>(timeline);
    ports.numbers = StreamNumbers::random();
    servers[i].sender = FlowSender::make(wall, {0, {}, 0, height}, std::move(ports)).value();
    servers[i].sender->begin(50us);
  }
  std::array<unsigned, 2> stalled_until{};
  ParitySwitch parity;
  for (unsigned count = 0; count < 120; ++count) {
    // Both hear of a decision some frames before it takes effect.
    if (fec == FecUse::needed && count % 25 == 5) {
      parity = parity.switched(!parity.on, frames.ahead(7));
      for (auto& server : servers) server.sender->keep_to(parity);
    }
    auto frame = frames.next(timeline.now().wall, start);
    for (std::size_t i = 0; i < servers.size(); ++i) {
      // The second server starts later; both miss frames, and the second whole seconds of them.
      if (frames.random.once_in(6) || (i == 1 && (count < 30 || count / 15 == 4))) continue;
      frame.buffer = servers[i].pool->take();
      REQUIRE(frame.buffer != nullptr);
      // Only the second has a store of packets.
      const bool in_slots = i == 1 && layout == PacketLayout::in_slots;
      fill(*frame.buffer, frame.stamp.tick, in_slots ? tile_slots(wall, {}, frame.format) : std::nullopt);
      REQUIRE(servers[i].sender->offer(frame));
    }
    // Now and then a thread does not run for a while, and gives frames up, some of them midway.
    if (count % 40 == 10) stalled_until[count / 40 % 2] = count + 14 + static_cast<unsigned>(frames.random.below(5));
    for (const auto until = timeline.now().wall + 33ms; timeline.now().wall < until;) {
      for (std::size_t i = 0; i < servers.size(); ++i)
        if (count >= stalled_until[i]) servers[i].sender->step(timeline.now());
      timeline.run(timeline.now().wall + 200us, [] { return false; });
    }
  }
  timeline.run(timeline.now().wall + 1s, [] { return false; });
  for (auto& server : servers)
    for (int i = 0; i < 500; ++i) server.sender->step(timeline.now());

  const auto& [first, second] = servers;
  std::size_t both = 0;
  for (const auto& [number, datagram] : first.media->media)
    if (const auto other = second.media->media.find(number); other != second.media->media.end()) {
      ++both;
      CHECK(datagram == other->second);
    }
  std::size_t parity_of_both = 0;
  for (const auto& [number, datagram] : first.media->parity)
    if (const auto other = second.media->parity.find(number); other != second.media->parity.end()) {
      ++parity_of_both;
      CHECK(datagram == other->second);
    }
  CHECK(both > 250);  // frames of blocks have few packets
  CHECK(parity_of_both > 50);
  for (const auto& server : servers) {
    const auto& media = server.media->media;
    const auto stats = server.sender->stats();
    CHECK(stats.packets == media.size());
    CHECK(stats.frames_skipped > 0);
    const auto numbers = media.rbegin()->first - media.begin()->first + 1;
    CHECK(stats.packets + stats.not_sent == numbers);
  }
}
