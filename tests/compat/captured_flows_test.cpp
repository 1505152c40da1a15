// A receiver of today takes the packets that an earlier build sent, from captures, at their times: it shows what the
// receivers of that build showed (`shown/`). tests/compat/README.md describes how the files were made.
#include "common/net/address.h"
#include "common/wall/wall_file.h"
#include "probe/analyze/capture.h"
#include "probe/analyze/udp_datagram.h"
#include "tests/compat/png_file.h"
#include "tests/support/lone_flow.h"
#include "tests/support/source_folder.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/timeline_clock.h"
#include "wall-client/display/display.h"
#include "wall-client/receive/flow_receiver.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <cstring>
#include <map>
#include <set>

using namespace lw;
using namespace lw::test;
using namespace lw::truth;

namespace {

using namespace std::chrono_literals;

constexpr std::uint16_t media_port = 50'000;
constexpr std::uint16_t control_port = 50'001;

std::filesystem::path compat_folder() { return source_folder() / "tests/compat"; }

// As make_captures.py wrote its wall files. Only the first flow was captured: that of the tile on the left.
Wall captured_wall() {
  Wall wall;
  wall.name = "test";
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = 64, .tile_height = 32});
  wall.frame_rate = FrameRate{30, 1};
  put_on_one_node(wall);
  wall.nodes[0].address = "127.0.0.1";
  wall.coordinator().interfaces = {"127.0.0.1"};
  wall.streaming.base_port = media_port;
  wall.streaming.mtu = 1500;
  wall.streaming.burst_packets = 1;
  wall.streaming.playout_delay = 300ms;
  return wall;
}

void send_parity(Wall& wall) {
  wall.streaming.fec = FecUse::always;
  wall.streaming.fec_strength = {10, 2};
}

struct Datagram {
  WallTime time{};
  UdpEndpoint from, to;
  std::vector<std::byte> payload;
};

Address address_of(const UdpEndpoint& endpoint) {
  const auto text = endpoint.text();
  auto host = text.substr(0, text.rfind(':'));
  if (endpoint.ipv6) host = host.substr(1, host.size() - 2);
  return Address::parse(host, endpoint.port).value();
}

std::vector<Datagram> datagrams_of(const std::string& name) {
  const auto file = MappedFile::open(compat_folder() / (name + ".pcap"));
  REQUIRE(file.has_value());
  std::vector<Datagram> all;
  const auto counts = read_capture(file->bytes(), [&](const CapturedPacket& packet) {
    REQUIRE_FALSE(packet.cut);
    if (const auto udp = udp_in(packet))
      all.push_back({WallTime{packet.time}, udp->from, udp->to, {udp->payload.begin(), udp->payload.end()}});
  });
  REQUIRE(counts.has_value());
  REQUIRE(counts->packets == all.size());
  return all;
}

// What a receiver makes of a capture.
struct Replay {
  std::size_t complete = 0;
  std::vector<WallTime> incomplete;  // media times
  WallTime first = WallTime::max();
  WallTime last = WallTime::min();
  std::set<std::uint32_t> frames;  // numbers of the complete ones
  ReceiverFlowStats stats;
};

// `check` gets each band while its pixels are valid.
template <class Check>
Replay replay(const Wall& wall, const std::string& name, Check check) {
  const auto datagrams = datagrams_of(name);
  Timeline timeline(datagrams.front().time - 1ms);
  ReceiverPorts ports;
  auto media_socket = std::make_unique<StandInSocket>(timeline, false);
  auto& media = *media_socket;
  ports.media = std::move(media_socket);
  // One for each address of the node, in the order in which the captures have them.
  std::map<std::string, StandInSocket*> control;
  for (const auto& address : {wall.nodes[0].address, wall.nodes[0].second_address}) {
    if (address.empty()) continue;
    auto socket = std::make_unique<StandInSocket>(timeline, false);
    control[Address::parse(address, control_port).value().text()] = socket.get();
    ports.control.push_back(std::move(socket));
  }
  ports.clock = std::make_unique<TimelineClock>(timeline);
  auto receiver = FlowReceiver::make(wall, {0, {}, 0, wall.grid.tile_height}, -1, std::move(ports)).value();
  receiver->begin(50us);
  for (const auto& datagram : datagrams)
    timeline.at(datagram.time, [&] {
      const auto from = address_of(datagram.from);
      if (datagram.to.port == media_port) return media.arrive(datagram.payload, from, false);
      if (const auto found = control.find(datagram.to.text()); found != control.end())
        found->second->arrive(datagram.payload, from, false);
    });
  Replay result;
  const auto end = datagrams.back().time + wall.streaming.playout_delay + 1s;
  while (timeline.now().wall < end) {
    receiver->step(timeline.now());
    ReceivedBand band;
    while (receiver->take_band(band)) {
      result.first = std::min(result.first, band.media_time);
      result.last = std::max(result.last, band.media_time);
      if (band.whole) {
        ++result.complete;
        result.frames.insert(band.frame);
      } else {
        result.incomplete.push_back(band.media_time);
      }
      check(band);
      receiver->give_back(band.buffer);
    }
  }
  result.stats = receiver->stats();
  return result;
}

AssembledFrame frame_of(const ReceivedBand& band) {
  AssembledFrame frame;
  frame.media_time = band.media_time;
  frame.frame = band.frame;
  frame.format = band.format;
  frame.bands = {band};
  frame.whole = band.whole;
  return frame;
}

// Compares what a display shows of each band with what the tile showed then. Rows without packets keep what they showed
// before, so they are not compared.
class Comparison {
public:
  Comparison(const Wall& wall, std::string visualization)
      : display_(Display::open_headless(wall, wall.nodes[0]).value()), visualization_(std::move(visualization)) {}

  void operator()(const ReceivedBand& band) {
    display_->upload({}, frame_of(band));
    display_->swap({});
    const auto shows = display_->read_back({});
    const auto showed =
        read_png(compat_folder() / "shown" / visualization_ / "tile-0-0" / fmt::format("{:08}.png", band.frame));
    REQUIRE(showed.sixteen_bits == shows.sixteen_bits);
    REQUIRE(showed.pixels.size() == shows.pixels.size());
    const auto row_size = shows.pixels.size() / shows.height;
    unsigned differ = 0;
    for (unsigned row = 0; row < band.rows; ++row)
      if (band.row_present(row))
        differ +=
            std::memcmp(shows.pixels.data() + row * row_size, showed.pixels.data() + row * row_size, row_size) != 0;
    INFO("frame " << band.frame << (band.whole ? ", complete" : ", incomplete"));
    CHECK(differ == 0);
  }

private:
  const std::unique_ptr<Display> display_;
  const std::string visualization_;
};

// The capture begins and ends within a frame.
void check_undisturbed(const Replay& played, std::size_t frames) {
  CHECK(played.complete >= frames - 2);
  CHECK(played.frames == std::set<std::uint32_t>{0, 1, 2});
  for (const auto media_time : played.incomplete) CHECK((media_time == played.first || media_time == played.last));
  CHECK(played.stats.invalid == 0);
  CHECK(played.stats.lost == 0);
  CHECK(played.stats.strangers == 0);
}

}  // namespace

TEST_CASE("flows that an earlier build sent show what they showed then") {
  auto wall = captured_wall();
  SECTION("YCbCr, 8 bits") { check_undisturbed(replay(wall, "flow-ycbcr422-8", Comparison(wall, "ycbcr422-8")), 40); }
  SECTION("YCbCr, 10 bits") {
    check_undisturbed(replay(wall, "flow-ycbcr422-10", Comparison(wall, "ycbcr422-10")), 40);
  }
  SECTION("encrypted, with parity") {
    const TemporaryFolder folder;
    std::string key;
    for (unsigned i = 0; i < 32; ++i) key += fmt::format("{:02x}", i);
    folder.write("media.key", key + "\n");
    std::filesystem::permissions(folder.path / "media.key", std::filesystem::perms::owner_read);
    wall.streaming.srtp_key_file = folder.path / "media.key";
    send_parity(wall);
    const auto played = replay(wall, "flow-encrypted", Comparison(wall, "rgb8"));
    check_undisturbed(played, 23);
    CHECK(played.stats.parity == 44);
  }
  SECTION("two paths") {
    wall.nodes[0].second_address = "127.0.0.2";
    wall.coordinator().interfaces = {"127.0.0.11", "127.0.0.12"};
    const auto played = replay(wall, "flow-two-paths", Comparison(wall, "rgb8"));
    check_undisturbed(played, 17);
    CHECK(played.stats.second_path == 79);
  }
  SECTION("IPv6, the server's clock, all tiles or none") {
    wall.nodes[0].address = "::1";
    wall.coordinator().interfaces = {"::1"};
    wall.clock = ClockSource::wall;
    wall.sync.mode = SyncMode::wall;
    check_undisturbed(replay(wall, "flow-ipv6-in-step", Comparison(wall, "rgb8")), 8);
  }
}

// This flow's visualization was not kept: its frames were repeated, and are compared with each other.
TEST_CASE("parity and resends that an earlier build sent complete frames") {
  auto wall = captured_wall();
  send_parity(wall);
  wall.streaming.resend = true;
  wall.streaming.resend_percent = 100;
  std::map<std::uint32_t, std::vector<std::byte>> known;
  std::size_t differ = 0;
  const auto played = replay(wall, "flow-fec-resends", [&](const ReceivedBand& band) {
    if (!band.whole) return;
    const auto bytes = row_bytes(band.format, wall.grid.tile_width) * band.rows;
    std::vector<std::byte> pixels(bytes);
    band.pixels.copy(0, bytes, pixels.data());
    differ += known.try_emplace(band.frame, pixels).first->second != pixels;
  });
  CHECK(differ == 0);
  CHECK(played.frames == std::set<std::uint32_t>{0, 1, 2});
  CHECK(played.stats.invalid == 0);
  CHECK(played.stats.lost == 43);
  CHECK(played.stats.repaired > 0);
  CHECK(played.stats.rebuilt > 0);
  // A frame is five packets. Of 59 frames, 32 arrived complete, and 57 with five or more of media, parity and resends.
  CHECK(played.complete == 57);
  CHECK(played.incomplete.size() == 2);
}
