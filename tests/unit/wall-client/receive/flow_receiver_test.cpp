// Pins receiving over a real socket: whatever the network does to a flow and however the kernel coalesces it, the bands
// hold what was sent, every packet is counted, and on a clean path the kernel itself puts the pixels in place.
#include "wall-client/receive/flow_receiver.h"

#include "common/base/frame_rate.h"
#include "common/net/datagram_sender.h"
#include "common/wire/media_packet.h"
#include "tests/support/ports.h"

#include <catch2/catch.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <thread>

using namespace lw;

namespace {

constexpr unsigned width = 320;
constexpr unsigned rows = 120;

Wall one_tile(std::uint16_t port) {
  Wall wall;
  wall.name = "one tile";
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = width, .tile_height = rows});
  wall.frame_rate = parse_frame_rate("30").value();
  WallNode node;
  node.name = "node";
  node.address = "127.0.0.1";
  node.tiles = {TilePlacement{}};
  wall.nodes = {node};
  wall.coordinator().interfaces = {"127.0.0.1"};
  wall.streaming.base_port = port;
  wall.streaming.mtu = 1500;
  wall.streaming.burst_packets = 7;
  wall.streaming.playout_delay = std::chrono::milliseconds{100};
  return wall;
}

std::vector<std::byte> picture(std::uint32_t frame) {
  std::vector<std::byte> pixels(row_bytes(PixelFormat::rgb8, width) * rows);
  std::minstd_rand random(frame + 1);
  for (auto& pixel : pixels) pixel = static_cast<std::byte>(random());
  return pixels;
}

// A flow's sender whose packets a test may drop, repeat, reorder and send in runs of any length.
struct Sender {
  Wall wall = one_tile(free_even_ports(2));
  std::unique_ptr<FlowReceiver> receiver = FlowReceiver::start(wall, Band{0, {}, 0, rows}, -1).value();
  UdpSocket socket = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  PacketTemplates templates = PacketTemplates::lay_out(PixelFormat::rgb8, width, rows,
                                                       {udp_payload_of_mtu(1500, false) - wire::resend_bytes}, 99)
                                  .value();
  DatagramSender sender{socket};
  std::uint32_t sequence = 0xfffffff0;  // wraps soon
  std::uint64_t sent = 0;

  Sender() {
    REQUIRE(socket.connect(Address::parse("127.0.0.1", wall.streaming.base_port).value()).has_value());
    sender.set_datagram_bytes(templates.datagram_bytes());
  }
  std::vector<std::vector<std::byte>> packets(std::uint32_t frame, std::uint16_t generation = 1) {
    templates.stamp({WallClock::now(), frame, generation, static_cast<std::uint16_t>(frame)}, sequence);
    sequence += static_cast<std::uint32_t>(templates.packets().size());
    const auto pixels = picture(frame);
    std::vector<std::vector<std::byte>> result;
    for (const auto& packet : templates.packets()) {
      auto& bytes = result.emplace_back(templates.header(packet), templates.header(packet) + packet.header_bytes);
      bytes.insert(bytes.end(), pixels.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset),
                   pixels.begin() + static_cast<std::ptrdiff_t>(packet.pixel_offset + packet.pixel_bytes));
      bytes.insert(bytes.end(), templates.padding(packet), templates.padding(packet) + packet.padding_bytes);
    }
    return result;
  }
  // In one segmented send; only the last may be shorter than the others.
  void send(std::span<const std::vector<std::byte>> run) {
    std::vector<DatagramPieces> datagrams;
    for (const auto& bytes : run)
      datagrams.push_back({{{const_cast<std::byte*>(bytes.data()), bytes.size()}, {}, {}}, 1});
    REQUIRE(sender.send(datagrams) == run.size());
    sent += run.size();
  }
  template <class Random>
  void send_in_runs(const std::vector<std::vector<std::byte>>& packets, Random next_length) {
    for (std::size_t first = 0; first < packets.size();) {
      std::size_t last = std::min(packets.size(), first + next_length());
      for (std::size_t i = first; i + 1 < last; ++i)
        if (packets[i].size() != templates.datagram_bytes()) last = i + 1;
      send(std::span(packets).subspan(first, last - first));
      first = last;
    }
  }
};

// Takes bands as a presenter does, until nothing has arrived for a while.
std::map<std::uint32_t, bool> take_bands(FlowReceiver& receiver) {
  std::map<std::uint32_t, bool> whole;
  for (int idle_ms = 0; idle_ms < 250; ++idle_ms) {
    ReceivedBand band;
    while (receiver.take_band(band)) {
      const auto expected = picture(band.frame);
      const auto row_size = row_bytes(band.format, width);
      for (unsigned row = 0; row < band.rows; ++row)
        if (band.row_present(row)) {
          INFO("frame " << band.frame << " row " << row);
          std::vector<std::byte> got(row_size);
          band.pixels.copy(row * row_size, row_size, got.data());
          REQUIRE(std::memcmp(got.data(), expected.data() + row * row_size, row_size) == 0);
        }
      whole[band.frame] = band.whole;
      receiver.give_back(band.buffer);
      idle_ms = 0;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return whole;
}

std::atomic<bool> held_up{false};

// Keeps the thread off its core while this is set, as a busy host would.
void hold_up_receiver() {
  held_up = true;
  std::signal(SIGUSR1, [](int) {
    constexpr timespec moment{0, 1'000'000};
    while (held_up) nanosleep(&moment, nullptr);
  });
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::ifstream(task.path() / "comm") >> name;
    if (name == "recv-0") syscall(SYS_tgkill, getpid(), std::stoi(task.path().filename().string()), SIGUSR1);
  }
}

void require_balance(const ReceiverFlowStats& stats) {
  REQUIRE(stats.packets == stats.used + stats.duplicates + stats.late + stats.invalid);
  REQUIRE(stats.in_place <= stats.used);
}

}  // namespace

TEST_CASE("on a clean path the kernel puts the pixels in place") {
  Sender sender;
  const unsigned run = GENERATE(1U, 7U, 20U);
  std::map<std::uint32_t, bool> whole;
  for (std::uint32_t frame = 0; frame < 20; ++frame) {
    sender.send_in_runs(sender.packets(frame), [&] { return run; });
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
    if (frame % 4 == 3) whole.merge(take_bands(*sender.receiver));
  }
  REQUIRE(whole.size() == 20);
  REQUIRE(std::ranges::all_of(whole, [](const auto& band) { return band.second; }));
  const auto stats = sender.receiver->stats();
  require_balance(stats);
  REQUIRE(stats.used == sender.sent);
  // All except the first packets of frames and those used to learn the forecast.
  REQUIRE(stats.in_place > sender.sent * 8 / 10);
}

TEST_CASE("a frame of an older generation takes the numbers of no other frame") {
  Sender sender;
  const auto run = [] { return 7U; };
  for (std::uint32_t frame = 0; frame < 4; ++frame) sender.send_in_runs(sender.packets(frame, frame < 2 ? 1 : 2), run);
  // From a server that was frozen: with the numbers that the newer line's next frame has.
  const auto next = sender.sequence;
  const auto stale = sender.packets(30, 1);
  sender.send_in_runs(stale, run);
  sender.sequence = next;
  sender.send_in_runs(sender.packets(4, 2), run);
  const auto whole = take_bands(*sender.receiver);
  CHECK(whole == std::map<std::uint32_t, bool>{{0, true}, {1, true}, {2, true}, {3, true}, {4, true}});
  const auto stats = sender.receiver->stats();
  require_balance(stats);
  CHECK(stats.late == stale.size());
  CHECK(stats.lost == 0);
}

TEST_CASE("a flow records when each band arrived, and which ones are incomplete") {
  Sender sender;
  const auto before = WallClock::now();
  sender.send_in_runs(sender.packets(0), [] { return 7U; });
  auto cut = sender.packets(1);
  cut.erase(cut.begin() + 3);
  sender.send_in_runs(cut, [] { return 7U; });
  auto beheaded = sender.packets(2);
  beheaded.erase(beheaded.begin());
  sender.send_in_runs(beheaded, [] { return 7U; });
  REQUIRE(take_bands(*sender.receiver).size() == 3);
  // Of incomplete bands that are overdue together, either may be recorded first.
  std::map<std::uint32_t, FrameRecord> records;
  for (FrameRecord record; sender.receiver->records().take(record);) records[record.frame] = record;
  REQUIRE(records.size() == 3);
  const auto& first = records[0];
  CHECK(first.step == FrameStep::received);
  CHECK(first.fate == FrameFate::whole);
  CHECK(first.bytes == row_bytes(PixelFormat::rgb8, width) * rows);
  CHECK(first.media_time >= before);
  CHECK(first.times[0] >= first.media_time);
  CHECK(first.times[1] >= first.times[0]);
  CHECK(first.times[2] == first.times[0]);
  const auto& second = records[1];
  CHECK(second.fate == FrameFate::incomplete);
  CHECK(second.bytes > 0);
  CHECK(second.bytes < first.bytes);
  CHECK(second.times[0] >= second.media_time);
  CHECK(second.times[1] == WallTime{});
  CHECK(second.times[2] == second.times[0]);
  const auto& third = records[2];
  CHECK(third.times[0] >= third.media_time);
  CHECK(third.times[2] == WallTime{});  // the packet sent first did not arrive
}

TEST_CASE("impairments on the network leave no wrong pixel and no uncounted packet") {
  const auto seed = GENERATE(range(1U, 9U));
  INFO("seed " << seed);
  std::minstd_rand random(seed);
  const auto chance = [&](unsigned of) { return random() / 7 % of == 0; };
  Sender sender;
  std::set<std::uint32_t> cut;  // frames that lost a packet
  std::uint64_t repeated = 0;
  std::map<std::uint32_t, bool> whole;
  for (std::uint32_t frame = 0; frame < 24; ++frame) {
    std::vector<std::vector<std::byte>> out;
    auto packets = sender.packets(frame);
    const unsigned trouble = frame < 2 ? 1'000'000 : 6 + 20 * (frame % 3);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      if (chance(trouble) && i + 4 < packets.size()) std::swap(packets[i], packets[i + 1 + random() % 3]);
      if (chance(trouble) && frame != 23) {  // if it were after the last one, no packet would reveal the loss
        cut.insert(frame);
        continue;
      }
      out.push_back(packets[i]);
      if (chance(trouble)) {
        out.push_back(packets[i]);
        ++repeated;
      }
    }
    sender.send_in_runs(out, [&] { return 1 + random() / 5 % 12; });
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
    if (frame % 3 == 2) whole.merge(take_bands(*sender.receiver));
  }
  REQUIRE(whole.size() == 24);
  for (const auto& [frame, is_whole] : whole) {
    INFO("frame " << frame);
    REQUIRE(is_whole == !cut.contains(frame));
  }
  const auto stats = sender.receiver->stats();
  require_balance(stats);
  REQUIRE(stats.packets == sender.sent);
  // A copy of a frame's last packet may arrive when the frame is already complete.
  REQUIRE(stats.duplicates == repeated);
  // A busy host may take the last packets of a frame that lost some only after its deadline.
  REQUIRE(stats.lost + stats.used + stats.late == std::uint64_t{24} * sender.templates.packets().size());
}

TEST_CASE("packets that the kernel drops at a full socket are distinguished from network loss") {
  Sender sender;
  const auto stats = [&] { return sender.receiver->stats(); };
  auto packets = sender.packets(0);
  packets.erase(packets.begin() + 3);
  sender.send_in_runs(packets, [] { return std::size_t{7}; });
  take_bands(*sender.receiver);
  REQUIRE(stats().lost == 1);
  REQUIRE(stats().kernel_drops == 0U);

  // Far more than the socket's buffer holds, while the flow's thread does not run.
  hold_up_receiver();
  for (std::uint32_t frame = 1; frame < 100; ++frame)
    sender.send_in_runs(sender.packets(frame), [] { return std::size_t{40}; });
  held_up = false;
  std::this_thread::sleep_for(std::chrono::milliseconds{200});
  sender.send_in_runs(sender.packets(100), [] { return std::size_t{7}; });
  take_bands(*sender.receiver);
  const auto after = stats();
  require_balance(after);
  REQUIRE(after.kernel_drops > 0U);
  REQUIRE(after.kernel_drops == after.lost - 1);
}

TEST_CASE("packets from unknown sources change no pixel, cost no packet, and are counted") {
  Sender sender;
  const auto to = Address::parse("127.0.0.1", sender.wall.streaming.base_port).value();
  const auto elsewhere = UdpSocket::bind(Address::parse("127.0.0.2", 0).value()).value();
  const auto beside = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  std::minstd_rand random(5);
  std::uint64_t strange = 0;
  const auto send_from = [&](const UdpSocket& socket, const std::vector<std::byte>& bytes) {
    REQUIRE(sendto(socket.fd(), bytes.data(), bytes.size(), 0, to.raw(), to.raw_bytes()) > 0);
    ++strange;
  };
  std::map<std::uint32_t, bool> whole;
  for (std::uint32_t frame = 0; frame < 12; ++frame) {
    const auto packets = sender.packets(frame);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      // Even with the stream's own SSRC and numbers: wrong pixels ahead of the right ones.
      if (i % 5 == 2) {
        auto forged = packets[i];
        forged.back() ^= std::byte{0xff};
        send_from(beside, forged);
        send_from(elsewhere, forged);
        std::vector<std::byte> garbage(random() % 2000);
        for (auto& byte : garbage) byte = static_cast<std::byte>(random());
        send_from(i % 2 == 0 ? beside : elsewhere, garbage);
        auto other = packets[i];
        other[11] ^= std::byte{1};  // SSRC
        send_from(elsewhere, other);
      }
      sender.send(std::span(packets).subspan(i, 1));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
    if (frame % 4 == 3) whole.merge(take_bands(*sender.receiver));
  }
  REQUIRE(whole.size() == 12);
  REQUIRE(std::ranges::all_of(whole, [](const auto& band) { return band.second; }));
  const auto stats = sender.receiver->stats();
  require_balance(stats);
  REQUIRE(stats.used == sender.sent);
  REQUIRE(stats.lost == 0);
  REQUIRE(stats.strangers == strange);
}

TEST_CASE("a packet whose check was lost on the way begins no stream, another sender's two do") {
  Sender sender;
  const auto run = [] { return 7U; };
  sender.send_in_runs(sender.packets(0), run);
  CHECK(take_bands(*sender.receiver) == std::map<std::uint32_t, bool>{{0, true}});  // silent for long enough then
  // A resend, for example: of another SSRC, and here without the bit that says that extensions follow.
  const auto without_stamp = [&](std::vector<std::byte> bytes) {
    bytes[0] ^= std::byte{0x10};
    bytes[11] ^= std::byte{1};
    bytes.erase(bytes.begin() + sizeof(wire::RtpHeader), bytes.begin() + wire::fixed_bytes - 2);
    return bytes;
  };
  const auto packets = sender.packets(1);
  sender.send(std::array{without_stamp(packets[3])});
  sender.send_in_runs(packets, run);
  CHECK(take_bands(*sender.receiver) == std::map<std::uint32_t, bool>{{1, true}});
  auto stats = sender.receiver->stats();
  CHECK(stats.invalid == 1);
  CHECK(stats.arrived == sender.sent - 1);
  const auto ssrc = stats.ssrc;
  // A sender without stamps that takes the place of ours.
  const auto others = sender.packets(2);
  sender.send(std::array{without_stamp(others[0])});
  sender.send(std::array{without_stamp(others[1])});
  take_bands(*sender.receiver);
  stats = sender.receiver->stats();
  CHECK(stats.invalid == 2);
  CHECK(stats.ssrc != ssrc);
  require_balance(stats);
}
