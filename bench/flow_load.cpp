#include "bench/flow_load.h"

#include "common/concurrency/pinned_thread.h"
#include "common/wall/geometry.h"
#include "server/read/frame_buffer.h"
#include "server/send/flow_sender.h"
#include "wall-client/receive/flow_receiver.h"

#include <sys/resource.h>

#include <cmath>
#include <memory>
#include <thread>

namespace lw::bench {
namespace {

constexpr std::size_t source_frames = 3;
constexpr std::chrono::milliseconds lead{30};  // a frame is offered this long before its media time
constexpr std::chrono::milliseconds playout_delay{40};
constexpr std::chrono::milliseconds warm_up{300};  // not counted
constexpr std::chrono::milliseconds settle{150};
constexpr unsigned udp_ip_bytes = 28;

FrameRate rate_of(const FlowLoad& load, double payload_bits_per_frame) {
  const double hertz = load.gbit_per_s * 1e9 / payload_bits_per_frame;
  return {static_cast<std::int32_t>(std::lround(hertz * 1000)), 1000};
}

Wall wall_of(const FlowLoad& load) {
  Wall wall;
  wall.name = "bench";
  wall.columns = load.flows;
  wall.rows = 1;
  wall.tile_width = load.width;
  wall.tile_height = load.rows;
  WallNode node;
  node.name = "bench";
  node.address = load.address;
  for (unsigned column = 0; column < load.flows; ++column) node.tiles.push_back({{column, 0}, {}, 0, 0});
  wall.nodes = {node};
  wall.server.interfaces = {load.address};
  wall.streaming.mtu = load.datagram_bytes + udp_ip_bytes;
  wall.streaming.burst_packets = load.burst_packets;
  wall.streaming.pace_fraction = load.pace_fraction;
  wall.streaming.assemble = load.assemble;
  wall.streaming.playout_delay = playout_delay;
  return wall;
}

struct Totals {
  std::uint64_t sent_packets = 0, sent_bytes = 0, send_calls = 0, frames_skipped = 0;
  std::uint64_t packets = 0, bytes = 0, used = 0, in_place = 0, lost = 0, calls = 0, drops = 0, whole = 0, cut = 0;
};

using Senders = std::vector<std::unique_ptr<FlowSender>>;
using Receivers = std::vector<std::unique_ptr<FlowReceiver>>;

Totals totals(const Senders& senders, const Receivers& receivers) {
  Totals sum;
  for (const auto& sender : senders) {
    const auto stats = sender->stats();
    sum.sent_packets += stats.packets;
    sum.sent_bytes += stats.bytes;
    sum.send_calls += stats.calls;
    sum.frames_skipped += stats.frames_skipped;
  }
  for (const auto& receiver : receivers) {
    const auto stats = receiver->stats();
    sum.packets += stats.packets;
    sum.bytes += stats.bytes;
    sum.used += stats.used;
    sum.in_place += stats.in_place;
    sum.lost += stats.lost;
    sum.calls += stats.calls;
    sum.drops += stats.kernel_drops.value_or(0);
    sum.whole += stats.bands_whole;
    sum.cut += stats.bands_incomplete + stats.bands_dropped;
  }
  return sum;
}

}  // namespace

Result<Report> run(const FlowLoad& load) {
  Wall wall = wall_of(load);
  const auto layout = PacketTemplates::lay_out(PixelFormat::rgb8, load.width, load.rows, load.datagram_bytes, 0);
  if (!layout) return layout.error();
  double bits = 0;
  for (const auto& packet : layout->packets())
    bits += 8.0 * static_cast<double>(packet.header_bytes + packet.pixel_bytes + packet.padding_bytes);
  wall.frame_rate = rate_of(load, bits * load.flows);

  Receivers receivers;
  Senders senders;
  const auto bands = all_bands(wall);
  for (const auto& band : bands) {
    auto receiver = FlowReceiver::start(wall, band, load.receiver_cpus[band.flow % load.receiver_cpus.size()]);
    if (!receiver) return receiver.error();
    receivers.push_back(std::move(*receiver));
  }
  for (const auto& band : bands) {
    auto sender = FlowSender::start(wall, band, load.sender_cpus[band.flow % load.sender_cpus.size()]);
    if (!sender) return sender.error();
    senders.push_back(std::move(*sender));
  }
  auto pool = FramePool::allocate(source_frames, row_bytes(PixelFormat::rgb8, load.width) * load.rows);
  if (!pool) return pool.error();

  const auto start = WallClock::now() + lead;
  const auto frames = static_cast<std::int64_t>(std::chrono::duration<double>(warm_up + load.duration).count() *
                                                wall.frame_rate.hertz());
  const auto warm_frames =
      static_cast<std::int64_t>(std::chrono::duration<double>(warm_up).count() * wall.frame_rate.hertz());
  Totals before;
  WallTime began = start;
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    const auto media_time = start + wall.frame_rate.duration_of(frame);
    sleep_until(media_time - lead);
    if (frame == warm_frames) {
      before = totals(senders, receivers);
      began = WallClock::now();
    }
    auto& buffer = (*pool)->buffers()[static_cast<std::size_t>(frame) % source_frames];
    const FrameStamp stamp{media_time, static_cast<std::uint32_t>(frame), 1, static_cast<std::uint16_t>(frame)};
    for (const auto& sender : senders) {
      buffer.add_users(1);
      if (!sender->offer({&buffer, stamp, PixelFormat::rgb8, wall.frame_rate.duration_of(1)})) buffer.release();
    }
    for (const auto& receiver : receivers) {
      ReceivedBand band;
      while (receiver->take_band(band)) receiver->give_back(band.buffer);
    }
  }
  const auto ended = WallClock::now();
  const auto end = totals(senders, receivers);
  const double seconds = std::chrono::duration<double>(ended - began).count();
  for (auto until = ended + lead + settle; WallClock::now() < until;) {
    for (const auto& receiver : receivers) {
      ReceivedBand band;
      while (receiver->take_band(band)) receiver->give_back(band.buffer);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  const auto last = totals(senders, receivers);
  double sender_cpu = 0;
  double receiver_cpu = 0;
  for (const auto& sender : senders) sender_cpu += sender->stats().cpu_s;
  for (const auto& receiver : receivers) receiver_cpu += receiver->stats().cpu_s;
  const auto per = [](std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  return Report{{{"target_gbit_per_s", load.gbit_per_s},
                 {"sent_gbit_per_s", static_cast<double>(end.sent_bytes - before.sent_bytes) * 8e-9 / seconds},
                 {"received_gbit_per_s", static_cast<double>(end.bytes - before.bytes) * 8e-9 / seconds},
                 {"loss", per(last.lost, last.lost + last.used)},
                 {"lost_packets", last.lost},
                 {"kernel_drops", last.drops},
                 {"frames_skipped", last.frames_skipped},
                 {"bands_whole", last.whole},
                 {"bands_cut", last.cut},
                 {"in_place", per(last.in_place, last.packets)},
                 {"packets_per_send_call", per(last.sent_packets, last.send_calls)},
                 {"packets_per_receive_call", per(last.packets, last.calls)},
                 {"sender_cpu_s_per_gb", sender_cpu / (static_cast<double>(last.sent_bytes) * 1e-9)},
                 {"receiver_cpu_s_per_gb", receiver_cpu / (static_cast<double>(last.bytes) * 1e-9)},
                 {"receive_buffer_bytes", receivers.front()->receive_buffer_bytes()}}};
}

}  // namespace lw::bench
