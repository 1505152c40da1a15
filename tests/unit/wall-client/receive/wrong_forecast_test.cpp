// Pins what a wrong forecast costs: only the run in question is copied, each of its bytes once, whatever arrives in
// whatever order, and all pixels are right.
#include "common/base/sanitized.h"
#include "common/wall/tile_slots.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/stream.h"
#include "wall-client/receive/flow_receiver.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <random>

using namespace lw;
using namespace lw::truth;
using namespace std::chrono_literals;

namespace {

const auto server = Address::parse("10.0.0.1", 40000).value();
constexpr unsigned run_packets = 7;

// A flow whose packets arrive in runs, several of which the receiver takes with one call.
struct Flow {
  Wall wall;
  Band band;
  Timeline timeline;
  StandInSocket* media = nullptr;
  std::unique_ptr<FlowReceiver> receiver;
  std::optional<Stream> stream;
  PacketTemplates templates;
  std::uint16_t tick = 0;
  std::map<std::uint16_t, bool> whole;  // by tick

  explicit Flow(PacketLayout layout, FecUse fec = FecUse::never) {
    wall.set_grid({.columns = 1, .rows = 1, .tile_width = 320, .tile_height = 200});
    wall.frame_rate = {20, 1};
    wall.nodes = {{"node", "10.0.0.2", {TilePlacement{}}}};
    wall.coordinator().interfaces = {"10.0.0.1"};
    wall.streaming.mtu = 1500;
    wall.streaming.packet_layout = layout;
    wall.streaming.burst_packets = run_packets;
    wall.streaming.resend = false;
    wall.streaming.fec = fec;
    band = {0, {}, 0, wall.grid.tile_height};
    ReceiverPorts ports;
    auto port = std::make_unique<StandInSocket>(timeline, true);
    media = port.get();
    ports.media = std::move(port);
    ports.control.push_back(std::make_unique<StandInSocket>(timeline, false));
    receiver = FlowReceiver::make(wall, band, -1, std::move(ports)).value();
    templates =
        PacketTemplates::lay_out(PixelFormat::rgb8, wall.grid.tile_width, band.rows, packet_cut(wall, {}), 0).value();
    stream.emplace(wall, band, std::nullopt, 99, 1000);
    // Until the lengths of runs and the number of a batch are known.
    for (int frame = 0; frame < 12; ++frame) {
      send(cut());
      take();
    }
  }
  std::vector<SentDatagram> cut() {
    ++tick;
    return stream->cut({timeline.now().wall, tick, 1, tick}, PixelFormat::rgb8, wall.streaming.fec == FecUse::always);
  }
  void send(const std::vector<SentDatagram>& packets) {
    for (std::size_t i = 0; i < packets.size(); ++i) arrive(packets[i], !begins_run(i));
  }
  void arrive(const SentDatagram& packet, bool follows) { media->arrive(packet.bytes, server, follows); }
  // All that has arrived, and checks the pixels of what is finished.
  void take() {
    const auto until = timeline.now().wall + 50ms;
    while (timeline.now().wall < until) {
      receiver->step(timeline.now());
      ReceivedBand taken;
      while (receiver->take_band(taken)) {
        check(taken);
        receiver->give_back(taken.buffer);
      }
    }
  }
  void check(const ReceivedBand& taken) {
    const auto* sent = stream->find(static_cast<std::uint16_t>(taken.generation), taken.tick);
    REQUIRE(sent != nullptr);
    whole[taken.tick] = taken.whole;
    std::vector<std::byte> row(row_bytes(taken.format, wall.grid.tile_width));
    for (unsigned number = 0; number < taken.rows; ++number) {
      if (!taken.row_present(number)) continue;
      taken.pixels.copy(number * row.size(), row.size(), row.data());
      INFO("tick " << taken.tick << ", row " << number);
      REQUIRE(std::memcmp(row.data(), sent->pixels.data() + number * row.size(), row.size()) == 0);
    }
  }
  struct Cost {
    std::uint64_t copied = 0, aside = 0, in_place = 0, used = 0;
  };
  Cost cost() const {
    const auto stats = receiver->stats();
    return {receiver->copies().copied_bytes(), receiver->copies().aside_bytes(), stats.in_place, stats.used};
  }
  // Since `before`.
  Cost since(const Cost& before) const {
    const auto now = cost();
    return {now.copied - before.copied, now.aside - before.aside, now.in_place - before.in_place,
            now.used - before.used};
  }
  // As a sender cuts frames: runs do not cross blocks of slots.
  bool begins_run(std::size_t packet) const {
    return (templates.slots() ? packet % templates.slots()->slots_per_block() : packet) % run_packets == 0;
  }
  // Of the run of this packet.
  std::size_t end_of_run(std::size_t packet) const {
    do ++packet;
    while (packet < templates.packets().size() && !begins_run(packet));
    return packet;
  }
  // Of packets [first, last) of a frame.
  std::size_t pixels(std::size_t first, std::size_t last) const {
    std::size_t bytes = 0;
    for (const auto& packet : templates.packets().subspan(first, last - first)) bytes += packet.pixel_bytes;
    return bytes;
  }
};

PacketLayout any_layout() { return GENERATE(PacketLayout::in_rows, PacketLayout::in_slots); }

}  // namespace

TEST_CASE("whatever the format and the width, each aimed packet has its own place") {
  const auto format = GENERATE(from_range(all_pixel_formats));
  const auto width = GENERATE(range(16U, 400U, sanitized ? 12U : 4U));
  if (!has_groups(format, width)) return;
  // Neither cleared nor made for each MTU: that would take most of the test's time.
  constexpr std::size_t band_bytes_max = 1 << 22;
  const auto band = std::make_unique_for_overwrite<std::byte[]>(band_bytes_max);
  // The MTUs of one width lie between those of the others.
  for (unsigned mtu = 1428 + (width - 16); mtu <= 9000; mtu += 400) {
    const PacketCut cut{udp_payload_of_mtu(mtu, false) - wire::resend_bytes};
    const RowRange rows{0, 120};
    auto templates = PacketTemplates::lay_out(format, width, group_rows(format, rows).count, cut, 0);
    if (!templates) continue;
    FrameStamp stamp{WallTime{}, 0, 1, 1};
    if (info(format).varies_in_length())
      stamp.used = static_cast<std::uint32_t>(frame_bytes(format, width, rows.count));
    templates->stamp(stamp, 0);
    // The first packet tells where the next ones go.
    const auto& begins = templates->packets()[0];
    std::vector<std::byte> first(begins.bytes());
    std::memcpy(first.data(), templates->header(begins), begins.header_bytes);
    std::memcpy(first.data() + first.size() - begins.padding_bytes, templates->padding(begins), begins.padding_bytes);
    MediaPacket packet;
    REQUIRE(parse_media_packet(first, packet).empty());
    Forecast forecast(width, rows, cut, 40);
    forecast.follow(first, packet);
    const auto bytes = band_memory_bytes(width, rows.count, cut);
    REQUIRE(bytes <= band_bytes_max);
    const Coverage none(bytes);
    std::vector<std::pair<const std::byte*, const std::byte*>> places;
    for (const auto pieces : forecast.aim(band.get(), &none, nullptr))
      for (const auto& piece : pieces)
        places.emplace_back(static_cast<const std::byte*>(piece.iov_base),
                            static_cast<const std::byte*>(piece.iov_base) + piece.iov_len);
    std::ranges::sort(places);
    INFO(info(format).name << ", " << width << " pixels, MTU " << mtu);
    CHECK(std::ranges::adjacent_find(places, [](const auto& a, const auto& b) { return a.second > b.first; }) ==
          places.end());
  }
}

TEST_CASE("as forecast, nothing is copied") {
  Flow flow(any_layout());
  const auto before = flow.cost();
  const auto frame = flow.cut();
  flow.send(frame);
  flow.take();
  const auto cost = flow.since(before);
  CHECK(cost.copied == 0);
  CHECK(cost.in_place == frame.size() - 1);
}

TEST_CASE("after a packet that was lost only the rest of its run is copied, once") {
  Flow flow(any_layout());
  const auto before = flow.cost();
  const std::size_t lost = GENERATE(3U, 7U, 12U, 40U);
  const auto frame = flow.cut();
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (i != lost) flow.arrive(frame[i], !flow.begins_run(i) && !(flow.begins_run(lost) && i == lost + 1));
  flow.take();
  const auto end = flow.end_of_run(lost);
  const auto cost = flow.since(before);
  INFO("lost " << lost << " of " << frame.size());
  CHECK(cost.copied == flow.pixels(lost + 1, end));
  CHECK(cost.aside == 0);
  CHECK(cost.in_place == frame.size() - 1 - (end - lost));
}

TEST_CASE("a lost run moves those after it by its length, and each byte once") {
  Flow flow(any_layout());
  const auto before = flow.cost();
  const auto frame = flow.cut();
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (i / run_packets != 2) flow.arrive(frame[i], !flow.begins_run(i));
  flow.take();
  const auto cost = flow.since(before);
  CHECK(cost.copied <= flow.pixels(3 * run_packets, frame.size()));
  CHECK(cost.copied > 0);
  CHECK(cost.aside == 0);
}

TEST_CASE("two runs that arrive in the wrong order cost no other run a copy") {
  Flow flow(any_layout());
  const auto before = flow.cost();
  const auto frame = flow.cut();
  std::vector<SentDatagram> runs(frame.begin(), frame.end());
  std::swap_ranges(runs.begin() + run_packets, runs.begin() + 2 * run_packets, runs.begin() + 2 * run_packets);
  flow.send(runs);
  flow.take();
  const auto cost = flow.since(before);
  CHECK(cost.copied == flow.pixels(run_packets, 3 * run_packets));
  CHECK(cost.aside <= cost.copied / 2);
  CHECK(flow.whole[flow.tick]);
}

TEST_CASE("whatever arrives in whatever order, no byte is copied but of runs that were not as forecast") {
  const unsigned seed = GENERATE(range(1U, 25U));
  INFO("seed " << seed);
  std::minstd_rand random(seed);
  const auto chance = [&](unsigned of) { return random() / 7 % of == 0; };
  Flow flow(any_layout(), seed % 3 == 0 ? FecUse::always : FecUse::never);
  const auto pixels_most = flow.pixels(0, 1);
  std::vector<std::byte> garbage(900, std::byte{7});
  for (int round = 0; round < 40; ++round) {
    const auto before = flow.cost();
    auto packets = flow.cut();
    const bool disturbed = round % 3 != 2;
    std::vector<SentDatagram> out;
    for (std::size_t i = 0; i < packets.size(); ++i) {
      if (disturbed && chance(20)) continue;
      if (disturbed && chance(20)) out.push_back(packets[i]);
      out.push_back(packets[i]);
    }
    if (disturbed)
      for (std::size_t i = 0; i + run_packets < out.size(); ++i)
        if (chance(25)) std::swap(out[i], out[i + 1 + random() / 5 % run_packets]);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (disturbed && chance(60)) flow.media->arrive(garbage, server, chance(2));
      flow.arrive(out[i], !flow.begins_run(i) && !chance(12));
    }
    flow.take();
    const auto cost = flow.since(before);
    INFO("round " << round);
    CHECK(cost.copied <= (cost.used - cost.in_place) * pixels_most);
    CHECK(cost.aside <= cost.copied / 2);
  }
}
