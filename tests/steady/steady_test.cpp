// Pins the steady state: from the disk to the presenter, while a visualization plays and loops, no thread of the data
// path allocates and none takes a lock, nor while previews of the tiles are made for an operator, the wall fades,
// and what each thread notes of the frames is taken, nor when that is not taken and there is no more room for it. A
// site gets the same flows by a relay. The real threads over real sockets and files; only the window is missing.
// Nor does encryption, with one key: packets and reports, also those that are repeated or forged.
#include "common/concurrency/agent_threads.h"
#include "common/srtp/packet_opener.h"
#include "common/srtp/packet_sealer.h"
#include "common/store/manifest.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "common/wall/geometry.h"
#include "relay/relay_flow.h"
#include "server/play/library.h"
#include "server/play/session.h"
#include "tests/steady/watch.h"
#include "tests/support/ports.h"
#include "tests/support/store_folder.h"
#include "wall-client/present/presenter.h"
#include "wall-client/receive/flow_receiver.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>

using namespace lw;

namespace {

constexpr std::chrono::milliseconds warm_up{1500};
constexpr std::chrono::milliseconds watched{2000};
constexpr std::chrono::seconds no_room_within{30};
constexpr std::uint32_t frames = 20;  // loops three times while watched

// Two, because a text from a literal would allocate where that is watched.
void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "steady_test: %s\n", what);
  std::exit(1);
}
void require(bool holds, const std::string& what) { require(holds, what.c_str()); }

Wall two_tiles() {
  Wall wall;
  wall.name = "steady";
  wall.set_grid({.columns = 2, .rows = 1, .tile_width = 320, .tile_height = 200});
  wall.frame_rate = {30, 1};
  wall.nodes = {{"node", "127.0.0.1", {{{0}, {}, 0, 0}, {{1}, {}, 320, 0}}}};
  wall.coordinator().interfaces = {"127.0.0.1"};
  WallSite site;
  site.name = "far";
  site.address = "127.0.0.2";
  site.interfaces = {"127.0.0.3"};
  site.nodes = {{"far", "127.0.0.4", {{{0}, {}, 0, 0}, {{1}, {}, 320, 0}}}};
  wall.sites = {site};
  wall.streaming.flows_per_tile = 2;
  wall.streaming.base_port = free_even_ports(16);
  wall.streaming.source_port = static_cast<std::uint16_t>(wall.streaming.base_port + 8);
  return wall;
}

void write_visualization(const std::filesystem::path& folder, const Wall& wall) {
  Manifest manifest;
  manifest.title = "steady";
  manifest.geometry = wall.grid;
  manifest.frame_rate = wall.frame_rate;
  manifest.frame_count = frames;
  manifest.stripes = {"."};
  const StripeLayout layout(manifest);
  for (unsigned tile = 0; tile < 2; ++tile) {
    const auto file = stripe_file(folder, manifest, 0, {tile});
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << npy_header({layout.records_in(0, {tile}), wall.grid.tile_height,
                                       row_bytes(manifest.pixel_format, wall.grid.tile_width),
                                       layout.record_bytes({tile}) - layout.frame_bytes({tile})});
    std::filesystem::resize_file(file, layout.file_bytes(0, {tile}));
  }
  std::ofstream(folder / manifest_file_name) << to_json_text(manifest);
}

void take_records(Session& session, const std::vector<FlowReceiver*>& receivers, Presenter& presenter,
                  std::uint64_t& count) {
  session.take_records([&](const FrameRecord&) { ++count; });
  FrameRecord record;
  for (auto* receiver : receivers)
    while (receiver->records().take(record)) ++count;
  while (presenter.records().take(record)) ++count;
}

std::uint64_t shown_whole(const Presenter& presenter) {
  std::uint64_t sum = 0;
  for (const auto& tile : presenter.tile_stats()) sum += tile.shown_whole;
  return sum;
}

// Each packet also changed and repeated, and a report.
void encrypt_and_decrypt(std::uint16_t first, std::uint16_t end, PacketSealer& sealer, PacketOpener& opener) {
  constexpr std::size_t head_bytes = 40;
  static std::array<std::byte, 1376> plain{std::byte{0x80}, std::byte{96}};
  static std::array<std::byte, 1500> received{};
  const LocalTime now{std::chrono::hours{1}};
  const auto open = [&](std::span<const std::byte> packet, bool rtcp) {
    std::copy(packet.begin(), packet.end(), received.begin());
    std::span<std::byte> span = std::span(received).first(packet.size());
    return rtcp ? opener.open_rtcp(span, now) : opener.open(span, now);
  };
  for (std::uint16_t sequence = first; sequence < end; ++sequence) {
    plain[2] = static_cast<std::byte>(sequence >> 8U);
    plain[3] = static_cast<std::byte>(sequence);
    const DatagramPieces pieces{
        {piece_of(plain.data(), head_bytes), piece_of(plain.data() + head_bytes, plain.size() - head_bytes), {}}, 2};
    const auto run = sealer.seal({&pieces, 1});
    require(run.size() == 1, "a packet is not encrypted");
    auto* const data = static_cast<std::byte*>(run[0].pieces[0].iov_base);
    const std::span packet(data, run[0].pieces[0].iov_len);
    packet[100] ^= std::byte{1};
    require(open(packet, false) == PacketOpener::Fate::refused, "a changed packet is accepted");
    packet[100] ^= std::byte{1};
    require(open(packet, false) == PacketOpener::Fate::done, "a packet is refused");
    require(open(packet, false) == PacketOpener::Fate::repeated, "a packet is accepted twice");
    require(open(sealer.seal_rtcp(std::span(plain).first(200)), true) == PacketOpener::Fate::done,
            "a report is refused");
  }
}

void require_that_encryption_is_steady() {
  PacketSealer sealer(MediaKey{});
  PacketOpener opener(MediaKey{});
  std::thread([&] {
    pthread_setname_np(pthread_self(), "flow-sealed");
    encrypt_and_decrypt(0, 10, sealer, opener);  // the keys
    steady::watch(true);
    encrypt_and_decrypt(10, 10'000, sealer, opener);
    steady::watch(false);
  }).join();
  require(steady::counts().allocations == 0, "encryption allocates: " + steady::first_culprit());
  require(steady::counts().locks == 0, "encryption locks: " + steady::first_culprit());
}

}  // namespace

int main() {
  require_that_encryption_is_steady();
  const StoreFolder content;
  const Wall wall = two_tiles();
  write_visualization(content.path / "steady", wall);
  Library library({content.path});
  library.scan();
  require(library.find("steady") != nullptr, "the content is not found");

  const auto sleeper = Sleeper::make().value();  // the presenter's thread
  Doorbell bell;
  PassingBoard finished(bell);
  std::vector<std::unique_ptr<FlowReceiver>> flows;
  std::vector<FlowReceiver*> receivers;
  for (const auto& band : all_bands(wall)) {
    flows.push_back(FlowReceiver::start(wall, band, -1, &finished).value());
    receivers.push_back(flows.back().get());
  }
  const auto display = Display::open_headless(wall, wall.nodes[0]).value();
  Presenter presenter(wall, wall.nodes[0], receivers, *display, nullptr, finished);
  std::atomic<bool> stop{false};
  std::thread presenting([&] {
    pthread_setname_np(pthread_self(), "present");
    require(presenter.run(stop, *sleeper).has_value(), "the presenter failed");
  });
  std::vector<std::unique_ptr<RelayFlow>> relayed;
  std::vector<AgentThreads::Placed> placed;
  for (const auto& band : all_bands(wall)) {
    relayed.push_back(std::make_unique<RelayFlow>(
        wall, wall.sites[0], band, open_relay_ports(wall, wall.sites[0], band).value(), 1000 + band.flow));
    placed.push_back({relayed.back().get(), band.flow, -1});
  }
  AgentThreads relay;
  require(relay.start({"relay", 0, {}}, placed).has_value(), "the relay does not start");
  const auto session = Session::start(wall, wall.coordinator(), library, {}).value();
  require(session->load("steady", 0, false, {}).has_value(), "the visualization does not load");

  // An operator also looks.
  const auto previews = presenter.previews();
  unsigned seen = 0;
  std::uint64_t noted = 0;
  const auto look_for = [&](std::chrono::milliseconds time) {
    for (const auto end = LocalClock::now() + time; LocalClock::now() < end;) {
      for (auto* preview : previews) {
        if (preview->ready() != nullptr) {
          ++seen;
          preview->give_back();
        }
        preview->ask();
      }
      presenter.look_for_previews();
      take_records(*session, receivers, presenter, noted);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  };
  look_for(warm_up);
  const auto before = shown_whole(presenter);
  const auto now = WallClock::now();
  presenter.set_fades({{{{now, now + watched / 2, now + watched / 2, now + watched}}}});  // and the wall fades
  seen = 0;
  noted = 0;
  steady::watch(true);
  look_for(watched);
  const auto shown = shown_whole(presenter) - before;
  take_records(*session, receivers, presenter, noted);  // of all that was shown, however late this thread came
  const auto& records = receivers.front()->records();
  const auto dropped_before = records.dropped();
  // Until there is no more room: 9 s, and more where the machine stalls and frames are skipped.
  for (const auto end = LocalClock::now() + no_room_within;
       records.dropped() == dropped_before && LocalClock::now() < end;)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  steady::watch(false);
  const auto dropped = records.dropped() - dropped_before;
  stop = true;
  bell.ring();
  presenting.join();

  const auto counts = steady::counts();
  std::printf(
      "%llu frames of a tile shown complete; %llu allocations, %llu locks on the data path %s\n"
      "%llu records, %llu without room in time and %llu later; %u previews\n",
      static_cast<unsigned long long>(shown), static_cast<unsigned long long>(counts.allocations),
      static_cast<unsigned long long>(counts.locks), steady::first_culprit().c_str(),
      static_cast<unsigned long long>(noted), static_cast<unsigned long long>(dropped_before),
      static_cast<unsigned long long>(dropped), seen);
  require(shown > 60, "too little was shown to say anything");
  require(dropped_before == 0 && noted > 5 * shown && dropped > 0, "what the threads note is not as it should be");
  const auto forwarded = relayed.front()->stats();
  require(forwarded.packets > 500 && forwarded.send_calls < forwarded.packets, "too little was relayed");
  require(seen > 5, "too few previews were made to say anything");
  require(counts.allocations == 0, "the data path allocates: " + steady::first_culprit());
  require(counts.locks == 0, "the data path locks: " + steady::first_culprit());
  return 0;
}
