#include "bench/flow_load.h"

#include "common/clock/wall_clock.h"
#include "common/concurrency/pinned_thread.h"
#include "common/wall/geometry.h"
#include "probe/run/frame_source.h"
#include "server/send/flow_sender.h"
#include "wall-client/receive/flow_receiver.h"

#include <cmath>
#include <memory>
#include <thread>

namespace lw::bench {
namespace {

constexpr std::chrono::milliseconds lead{30};            // a frame is offered this long before its media time
constexpr std::chrono::milliseconds playout_delay{100};  // three frames of 30 a second: none is given up while it comes
constexpr std::chrono::milliseconds warm_up{300};        // not counted in the rates
constexpr std::chrono::milliseconds flows_settle{150};
constexpr std::chrono::seconds patience{20};  // of a receiver alone, for the load to begin
constexpr std::chrono::milliseconds silence{500};
constexpr unsigned udp_ip_bytes = 28;
constexpr std::size_t frames_room = 4096, packets_room = 1U << 19U;  // of a recorder, between two looks

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}
double gbit_per_s(std::uint64_t bytes, Nanoseconds time) {
  return static_cast<double>(bytes) * 8e-9 / std::chrono::duration<double>(time).count();
}

class Senders {
public:
  static Result<Senders> start(const FlowLoad& load, const Wall& wall) {
    Senders senders;
    for (const auto& band : all_bands(wall)) {
      auto sender = FlowSender::start(wall, band, load.sender_cpus[band.flow % load.sender_cpus.size()]);
      if (!sender) return sender.error();
      senders.flows_.push_back(std::move(*sender));
    }
    return senders;
  }
  void offer(FrameBuffer& buffer, const FrameStamp& stamp, Nanoseconds interval) {
    for (const auto& flow : flows_) {
      buffer.add_users(1);
      if (!flow->offer({&buffer, stamp, PixelFormat::rgb8, interval})) {
        buffer.release();
        ++refused_;
      }
    }
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& flow : flows_) sum += flow->stats().bytes;
    return sum;
  }
  void report(nlohmann::json& into) const {
    std::uint64_t packets = 0, bytes = 0, calls = 0, skipped = refused_;
    double cpu_s = 0;
    for (const auto& flow : flows_) {
      const auto stats = flow->stats();
      packets += stats.packets;
      bytes += stats.bytes;
      calls += stats.calls;
      skipped += stats.frames_skipped;
      cpu_s += stats.cpu_s;
    }
    into["sent_packets"] = packets;
    into["frames_skipped"] = skipped;
    into["packets_per_send_call"] = ratio(packets, calls);
    into["sender_cpu_s_per_gb"] = cpu_s / (static_cast<double>(bytes) * 1e-9);
  }

private:
  std::vector<std::unique_ptr<FlowSender>> flows_;
  std::uint64_t refused_ = 0;  // frames that a flow far behind did not take
};

class Receivers {
public:
  static Result<Receivers> start(const FlowLoad& load, const Wall& wall) {
    Receivers receivers;
    for (const auto& band : all_bands(wall)) {
      if (load.measured == Measured::packets)
        receivers.recorders_.push_back(std::make_unique<ArrivalRecorder>(frames_room, packets_room));
      auto receiver =
          FlowReceiver::start(wall, band, load.receiver_cpus[band.flow % load.receiver_cpus.size()], nullptr,
                              receivers.recorders_.empty() ? nullptr : receivers.recorders_.back().get());
      if (!receiver) return receiver.error();
      receivers.flows_.push_back(std::move(*receiver));
    }
    return receivers;
  }
  // As a presenter does, but at once.
  void take_bands() {
    ReceivedBand band;
    for (const auto& flow : flows_)
      while (flow->take_band(band)) flow->give_back(band.buffer);
    take_records();
  }
  void take_bands_until(WallTime until) {
    for (auto now = WallClock::now(); now < until; now = WallClock::now()) {
      take_bands();
      sleep_until(std::min<WallTime>(until, now + std::chrono::milliseconds{1}));
    }
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& flow : flows_) sum += flow->stats().bytes;
    return sum;
  }
  void report(nlohmann::json& into) const {
    ReceiverFlowStats sum;
    std::uint64_t drops = 0;
    for (const auto& flow : flows_) {
      const auto stats = flow->stats();
      sum.packets += stats.packets;
      sum.bytes += stats.bytes;
      sum.used += stats.used;
      sum.in_place += stats.in_place;
      sum.lost += stats.lost;
      sum.calls += stats.calls;
      sum.bands_whole += stats.bands_whole;
      sum.bands_incomplete += stats.bands_incomplete + stats.bands_dropped;
      sum.cpu_s += stats.cpu_s;
      drops += stats.kernel_drops.value_or(0);
    }
    into["loss"] = ratio(sum.lost, sum.lost + sum.used);
    into["lost_packets"] = sum.lost;
    into["kernel_drops"] = drops;
    into["bands_whole"] = sum.bands_whole;
    into["bands_cut"] = sum.bands_incomplete;
    into["in_place"] = ratio(sum.in_place, sum.packets);
    into["packets_per_receive_call"] = ratio(sum.packets, sum.calls);
    into["receiver_cpu_s_per_gb"] = sum.cpu_s / (static_cast<double>(sum.bytes) * 1e-9);
    into["receive_buffer_bytes"] = flows_.front()->receive_buffer_bytes();
    if (!recorders_.empty()) into["packets_recorded"] = packets_recorded_;
  }

private:
  // On the thread that a writer of records would have.
  void take_records() {
    FrameArrival frame;
    PacketRecord packet;
    for (const auto& recorder : recorders_) {
      while (recorder->take(frame)) continue;
      while (recorder->take(packet)) ++packets_recorded_;
    }
  }
  std::vector<std::unique_ptr<ArrivalRecorder>> recorders_;  // outlive the flows
  std::uint64_t packets_recorded_ = 0;
  std::vector<std::unique_ptr<FlowReceiver>> flows_;
};

Result<Report> receive(const FlowLoad& load, const Wall& wall) {
  auto receivers = Receivers::start(load, wall);
  if (!receivers) return receivers.error();
  const auto began = WallClock::now();
  std::uint64_t bytes = 0;
  std::optional<WallTime> first;
  WallTime last = began;
  while (WallClock::now() - last < (first ? Nanoseconds{silence} : Nanoseconds{patience})) {
    receivers->take_bands_until(WallClock::now() + std::chrono::milliseconds{20});
    const auto now_bytes = receivers->bytes();
    if (now_bytes == bytes) continue;
    last = WallClock::now();
    if (!first) first = last;
    bytes = now_bytes;
  }
  if (!first) return Error{"nothing came to " + load.receiver_address, "start the sender, and look for a firewall"};
  Report report;
  report.figures["received_gbit_per_s"] = gbit_per_s(bytes, last - *first);
  receivers->report(report.figures);
  return report;
}

Result<Report> send(const FlowLoad& load, const Wall& wall) {
  auto receivers = load.side == Side::both ? Receivers::start(load, wall) : Receivers{};
  if (!receivers) return receivers.error();
  // Before the senders, which send from its memory until they are joined.
  auto source = load.store.empty()
                    ? FrameSource::memory(row_bytes(PixelFormat::rgb8, wall.tile_width) * wall.tile_height)
                    : FrameSource::store(load.store);
  if (!source) return source.error();
  auto senders = Senders::start(load, wall);
  if (!senders) return senders.error();

  const auto interval = wall.frame_rate.duration_of(1);
  const auto start = WallClock::now() + 2 * lead;
  const auto warm = start + warm_up;
  WallTime began{};
  std::uint64_t sent_before = 0, received_before = 0;
  WallTime media_time = start;
  for (std::uint32_t frame = 0; media_time < warm + load.duration; ++frame) {
    media_time = start + wall.frame_rate.duration_of(frame);
    receivers->take_bands_until(media_time - lead);
    if (began == WallTime{} && media_time >= warm) {
      began = WallClock::now();
      sent_before = senders->bytes();
      received_before = receivers->bytes();
    }
    const auto buffer = (*source)->next();
    if (!buffer) return buffer.error();
    senders->offer(**buffer, {media_time, frame, 1, static_cast<std::uint16_t>(frame)}, interval);
    (*buffer)->release();
    receivers->take_bands();
  }
  const auto ended = WallClock::now();
  const auto sent = senders->bytes() - sent_before;
  const auto received = receivers->bytes() - received_before;
  receivers->take_bands_until(WallClock::now() + lead + flows_settle);

  Report report;
  report.figures["target_gbit_per_s"] = load.gbit_per_s;
  report.figures["sent_gbit_per_s"] = gbit_per_s(sent, ended - began);
  senders->report(report.figures);
  if (load.side == Side::both) {
    report.figures["received_gbit_per_s"] = gbit_per_s(received, ended - began);
    receivers->report(report.figures);
  }
  return report;
}

}  // namespace

Result<Wall> wall_of(const FlowLoad& load) {
  Wall wall;
  wall.name = "bench";
  wall.columns = load.flows;
  wall.rows = 1;
  wall.tile_width = load.width;
  wall.tile_height = load.rows;
  WallNode node;
  node.name = "bench";
  node.address = load.receiver_address;
  for (unsigned column = 0; column < load.flows; ++column) node.tiles.push_back({{column, 0}, {}, 0, 0});
  wall.nodes = {node};
  wall.server.interfaces = {load.sender_address};
  wall.streaming.mtu = load.datagram_bytes + udp_ip_bytes;
  wall.streaming.resend = false;       // what is lost stays lost; and datagrams have no room for what a resend adds
  wall.streaming.fec = FecUse::never;  // parity for what was lost would take from the rate that is looked for
  wall.streaming.burst_packets = load.burst_packets;
  wall.streaming.pace_fraction = load.pace_fraction;
  wall.streaming.assemble = load.assemble;
  wall.streaming.busy_poll = load.busy_poll;
  wall.streaming.playout_delay = playout_delay;
  wall.streaming.srtp_key_file = load.srtp_key_file;
  wall.streaming.measure = load.measured != Measured::counts;

  const auto layout =
      PacketTemplates::lay_out(PixelFormat::rgb8, load.width, load.rows, media_datagram_max(wall, {0, 0}), 0);
  if (!layout) return layout.error();
  double bits = 0;
  for (const auto& packet : layout->packets()) bits += 8.0 * static_cast<double>(packet.bytes());
  const double hertz = load.gbit_per_s * 1e9 / (bits * load.flows);
  wall.frame_rate = {static_cast<std::int32_t>(std::lround(hertz * 1000)), 1000};
  return wall;
}

Result<Report> run(const FlowLoad& load) {
  const auto wall = wall_of(load);
  if (!wall) return wall.error();
  return load.side == Side::receiver ? receive(load, *wall) : send(load, *wall);
}

}  // namespace lw::bench
