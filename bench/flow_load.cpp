#include "bench/flow_load.h"

#include "common/clock/wall_clock.h"
#include "common/concurrency/agent_threads.h"
#include "common/concurrency/pinned_thread.h"
#include "common/plan/buffers.h"
#include "common/wall/geometry.h"
#include "common/wall/send_window.h"
#include "common/wall/tile_slots.h"
#include "probe/loads/frame_source.h"
#include "server/send/flow_sender.h"
#include "wall-client/playout/playout_buffer.h"
#include "wall-client/present/presenter.h"
#include "wall-client/receive/flow_receiver.h"
#include "wall-client/receive/receive_nap.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

namespace lw::bench {
namespace {

constexpr std::chrono::milliseconds lead{30};            // a frame is offered this long before its media time
constexpr std::chrono::milliseconds playout_delay{100};  // three frames at 30 frame/s: none is dropped while it arrives
constexpr std::chrono::milliseconds senders_settle{5000};   // at most, until every offered frame is sent or dropped
constexpr std::chrono::milliseconds receivers_settle{150};  // at most, until every packet sent has arrived
constexpr std::chrono::milliseconds figures_settle{20};     // because receivers publish every 10 ms
constexpr std::chrono::seconds patience{20};                // of a receiver alone, until the load begins
constexpr std::chrono::milliseconds silence{500};
constexpr std::chrono::milliseconds look_interval{4};  // between checks of finished flows
constexpr unsigned udp_ip_bytes = 28;
constexpr std::uint16_t source_port_below = 10'000;                  // distance to the destination ports
constexpr std::size_t frames_room = 4096, packets_room = 1U << 19U;  // of a recorder, between two checks

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
}
double rate_of(std::uint64_t bytes, Nanoseconds time) {
  return static_cast<double>(bytes) * 8e-9 / std::chrono::duration<double>(time).count();
}
double per_gb(double seconds, std::uint64_t bytes) {
  return bytes == 0 ? 0.0 : seconds / (static_cast<double>(bytes) * 1e-9);
}

}  // namespace

// Sum of all flows, as last published by their threads.
struct SentByFlows {
  std::uint64_t frames = 0, given_up = 0, packets = 0, bytes = 0, calls = 0;
  double cpu_s = 0;

  SentByFlows operator-(const SentByFlows& before) const {
    return {frames - before.frames, given_up - before.given_up, packets - before.packets,
            bytes - before.bytes,   calls - before.calls,       cpu_s - before.cpu_s};
  }
  void report(nlohmann::json& into) const {
    into["frames_sent"] = frames;
    into["frames_skipped"] = given_up;
    into["sent_packets"] = packets;
    into["packets_per_send_call"] = ratio(packets, calls);
    into["sender_cpu_s_per_gb"] = per_gb(cpu_s, bytes);
  }
};

class FlowSenders {
public:
  static Result<FlowSenders> start(const FlowLoad& load, const Wall& wall) {
    FlowSenders senders;
    std::vector<AgentThreads::Placed> placed;
    for (const auto& band : all_bands(wall)) {
      auto ports = open_sender_ports(wall, wall.server_of(band.tile), band);
      if (!ports) return ports.error();
      auto sender = FlowSender::make(wall, band, std::move(*ports));
      if (!sender) return sender.error();
      placed.push_back({sender->get(), band.flow, load.sender_cpus[band.flow % load.sender_cpus.size()]});
      senders.flows_.push_back(std::move(*sender));
    }
    const AgentThreads::Options options{"flow", wall.streaming.realtime_priority, wall.streaming.pace_spin};
    if (const auto started = senders.threads_.start(options, placed); !started) return started.error();
    return senders;
  }
  [[nodiscard]] std::size_t count() const { return flows_.size(); }
  // Each gets its own frame, like tiles.
  Result<void> offer(FrameSource& source, const FrameStamp& stamp, Nanoseconds interval) {
    for (const auto& flow : flows_) {
      const auto buffer = source.next();
      if (!buffer) return buffer.error();
      if (flow->offer({*buffer, stamp, PixelFormat::rgb8, interval})) continue;
      (*buffer)->release();
      ++refused_;
    }
    return {};
  }
  [[nodiscard]] SentByFlows totals() const {
    SentByFlows sum{.given_up = refused_};
    for (const auto& flow : flows_) {
      const auto stats = flow->stats();
      sum.frames += stats.frames;
      sum.given_up += stats.frames_skipped;
      sum.packets += stats.packets;
      sum.bytes += stats.bytes + stats.resent_bytes + stats.parity_bytes;
      sum.calls += stats.calls;
      sum.cpu_s += stats.cpu_s;
    }
    return sum;
  }

private:
  std::vector<std::unique_ptr<FlowSender>> flows_;
  AgentThreads threads_;       // as a server's
  std::uint64_t refused_ = 0;  // frames that a flow far behind did not take
};

struct ReceivedByFlows {
  std::uint64_t packets = 0, bytes = 0, used = 0, in_place = 0, lost = 0, calls = 0, whole = 0, cut = 0, drops = 0;
  double cpu_s = 0;

  ReceivedByFlows operator-(const ReceivedByFlows& before) const {
    return {packets - before.packets, bytes - before.bytes, used - before.used,   in_place - before.in_place,
            lost - before.lost,       calls - before.calls, whole - before.whole, cut - before.cut,
            drops - before.drops,     cpu_s - before.cpu_s};
  }
  void report(nlohmann::json& into) const {
    into["loss"] = ratio(lost, lost + used);
    into["lost_packets"] = lost;
    into["kernel_drops"] = drops;
    into["bands_whole"] = whole;
    into["bands_cut"] = cut;
    into["in_place"] = ratio(in_place, packets);
    into["packets_per_receive_call"] = ratio(packets, calls);
    into["receiver_cpu_s_per_gb"] = per_gb(cpu_s, bytes);
  }
};

// The flows' receivers, and a thread that wakes and keeps frames like the presenter, but draws none.
class FlowReceivers {
public:
  static Result<std::unique_ptr<FlowReceivers>> start(const FlowLoad& load, const Wall& wall) {
    auto receivers = std::make_unique<FlowReceivers>();
    std::vector<AgentThreads::Placed> placed;
    for (const auto& band : all_bands(wall)) {
      if (load.measured == Measured::packets)
        receivers->recorders_.push_back(std::make_unique<ArrivalRecorder>(frames_room, packets_room));
      auto ports = open_receiver_ports(wall, band);
      if (!ports) return ports.error();
      const int cpu = load.receiver_cpus[band.flow % load.receiver_cpus.size()];
      auto receiver = FlowReceiver::make(wall, band, cpu, std::move(*ports), nullptr,
                                         receivers->recorders_.empty() ? nullptr : receivers->recorders_.back().get());
      if (!receiver) return receiver.error();
      placed.push_back({receiver->get(), band.flow, cpu});
      receivers->flows_.push_back(std::move(*receiver));
      const auto waiting =
          std::max(Presenter::frames_waiting_min, client_bands_per_flow(wall.streaming, wall.frame_rate));
      receivers->tiles_.push_back(std::make_unique<PlayoutBuffer>(
          1, wall.streaming.playout_delay, waiting,
          [flow = receivers->flows_.back().get()](const ReceivedBand& taken) { flow->give_back(taken.buffer); }));
    }
    const AgentThreads::Options options{"recv", wall.streaming.realtime_priority, {}, receive_nap(wall, placed.size())};
    if (const auto threads = receivers->threads_.start(options, placed); !threads) return threads.error();
    receivers->progress_.resize(receivers->flows_.size());
    receivers->thread_ = start_thread("present", -1, [raw = receivers.get()](const std::stop_token& stop) {
      while (!stop.stop_requested()) sleep_until(raw->step());
    });
    return receivers;
  }
  [[nodiscard]] std::size_t count() const { return flows_.size(); }
  // Rates cover what arrives from now on.
  void begin() {
    const std::lock_guard lock(mutex_);
    std::ranges::fill(progress_, Progress{});
  }
  // Between the first and the last packet on any flow.
  [[nodiscard]] double gbit_per_second() const {
    const std::lock_guard lock(mutex_);
    WallTime first = WallTime::max(), last{};
    std::uint64_t bytes = 0;
    for (const auto& flow : progress_) {
      if (flow.first == WallTime{}) continue;
      first = std::min(first, flow.first);
      last = std::max(last, flow.last);
      bytes += flow.bytes - flow.bytes_first;
    }
    return last > first ? rate_of(bytes, last - first) : 0.0;
  }
  // How long after its planned time (media time plus `window`) the newest complete frame was complete in all tiles;
  // empty if that is not this frame.
  [[nodiscard]] std::optional<Nanoseconds> behind(WallTime media_time, Nanoseconds window) const {
    const std::lock_guard lock(mutex_);
    Nanoseconds most{0};
    for (const auto& flow : progress_) {
      if (flow.media_time != media_time) return {};
      most = std::max(most, flow.finished - media_time - window);
    }
    return most;
  }
  [[nodiscard]] ReceivedByFlows totals() const {
    ReceivedByFlows sum;
    for (const auto& flow : flows_) {
      const auto stats = flow->stats();
      sum.packets += stats.packets;
      sum.bytes += stats.bytes;
      sum.used += stats.used;
      sum.in_place += stats.in_place;
      sum.lost += stats.lost;
      sum.calls += stats.calls;
      sum.whole += stats.bands_whole;
      sum.cut += stats.bands_incomplete + stats.bands_dropped;
      sum.cpu_s += stats.cpu_s;
      sum.drops += stats.kernel_drops.value_or(0);
    }
    return sum;
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t sum = 0;
    for (const auto& flow : flows_) sum += flow->memory().bytes();
    return sum;
  }
  [[nodiscard]] std::size_t socket_bytes() const { return flows_.front()->receive_buffer_bytes(); }
  [[nodiscard]] std::optional<std::uint64_t> packets_recorded() const {
    if (recorders_.empty()) return {};
    return packets_recorded_.load();
  }

private:
  // A flow's state as last seen by this thread.
  struct Progress {
    WallTime first{}, last{};  // when its byte count first and last changed
    std::uint64_t bytes_first = 0, bytes = 0;
    WallTime media_time{}, finished{};  // of the newest complete frame
  };

  // When to call this again.
  WallTime step() {
    auto wake = WallClock::now() + look_interval;
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      look_at(i);
      if (tiles_[i]->due(WallClock::now()) != nullptr) tiles_[i]->shown();
      if (const auto next = tiles_[i]->next_time()) wake = std::min(wake, *next);
    }
    take_records();
    return wake;
  }
  void look_at(std::size_t i) {
    const auto bytes = flows_[i]->stats().bytes;
    const std::lock_guard lock(mutex_);
    auto& seen = progress_[i];
    ReceivedBand band;
    while (flows_[i]->take_band(band)) {
      if (band.whole && band.media_time > seen.media_time)
        seen.media_time = band.media_time, seen.finished = band.finished;
      tiles_[i]->add(band);
    }
    if (seen.bytes == bytes) return;
    const auto now = WallClock::now();
    if (seen.bytes == 0)
      seen.bytes = bytes;  // from an earlier measurement
    else if (seen.first == WallTime{})
      seen.first = now, seen.bytes_first = bytes;
    seen.bytes = bytes;
    seen.last = now;
  }
  // On the thread that a writer of records would use.
  void take_records() {
    FrameArrival frame;
    PacketRecord packet;
    for (const auto& recorder : recorders_) {
      while (recorder->take(frame)) continue;
      while (recorder->take(packet)) ++packets_recorded_;
    }
  }

  std::vector<std::unique_ptr<ArrivalRecorder>> recorders_;  // must outlive the flows
  std::atomic<std::uint64_t> packets_recorded_{0};
  std::vector<std::unique_ptr<FlowReceiver>> flows_;
  AgentThreads threads_;                               // as a node's
  std::vector<std::unique_ptr<PlayoutBuffer>> tiles_;  // one flow each; they return buffers to it when destroyed
  mutable std::mutex mutex_;
  std::vector<Progress> progress_;
  std::jthread thread_;  // last: joined before the members it uses are destroyed
};

namespace {

void wait_until(Nanoseconds at_most, const auto& done) {
  for (const auto until = LocalClock::now() + at_most; !done() && LocalClock::now() < until;)
    std::this_thread::sleep_for(look_interval);
}

Result<PacketTemplates> layout_of(const Wall& wall) {
  const auto& place = wall.tiles.front().place;
  return PacketTemplates::lay_out(PixelFormat::rgb8, place.width, place.height, packet_cut(wall, {}), 0);
}

double bits_of(const PacketTemplates& layout) {
  double bits = 0;
  for (const auto& packet : layout.packets()) bits += 8.0 * static_cast<double>(packet.bytes());
  return bits;
}

// For a receiver alone.
Result<Report> receive(const FlowLoad& load, const Wall& wall) {
  const auto started = FlowReceivers::start(load, wall);
  if (!started) return started.error();
  auto& receivers = **started;
  receivers.begin();
  auto last = LocalClock::now();
  std::uint64_t bytes = 0;
  while (LocalClock::now() - last < (bytes > 0 ? Nanoseconds{silence} : Nanoseconds{patience})) {
    std::this_thread::sleep_for(figures_settle);
    if (const auto now_bytes = receivers.totals().bytes; now_bytes != bytes) {
      last = LocalClock::now();
      bytes = now_bytes;
    }
  }
  if (bytes == 0)
    return Error{"no packet arrived at " + load.receiver_address, "start the sender, and check the firewall"};
  Report report;
  report.figures["received_gbit_per_s"] = receivers.gbit_per_second();
  receivers.totals().report(report.figures);
  return report;
}

}  // namespace

struct FlowRig::Parts {
  Wall wall;
  double frame_bits = 0;                     // UDP payload, of all flows
  double pixel_share = 0;                    // the share of pixels in it
  std::unique_ptr<FrameSource> source;       // before the senders, which send from its memory until they are joined
  std::unique_ptr<FlowReceivers> receivers;  // none on a sending host
  FlowSenders senders;
  std::uint32_t frame = 0;

  // The time of the last offered frame.
  Result<WallTime> offer(std::uint32_t frames, Nanoseconds interval) {
    const auto start = WallClock::now() + 2 * lead;
    WallTime media_time = start;
    for (std::uint32_t i = 0; i < frames; ++i, ++frame) {
      media_time = start + i * interval;
      sleep_until(media_time - lead);
      const auto offered = senders.offer(*source, {media_time, frame, 1, static_cast<std::uint16_t>(frame)}, interval);
      if (!offered) return offered.error();
    }
    return media_time;
  }
};

FlowRig::FlowRig(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
FlowRig::~FlowRig() = default;

Result<std::unique_ptr<FlowRig>> FlowRig::start(const FlowLoad& load) {
  auto wall = wall_of(load);
  if (!wall) return wall.error();
  auto parts = std::make_unique<Parts>();
  parts->wall = std::move(*wall);
  const auto layout = layout_of(parts->wall);
  if (!layout) return layout.error();
  const std::size_t pixel_bytes = row_bytes(PixelFormat::rgb8, load.width) * load.rows;
  parts->frame_bits = bits_of(*layout) * load.flows;
  parts->pixel_share = static_cast<double>(pixel_bytes) * 8 / bits_of(*layout);
  const auto in_memory = [&] {
    return load.cut == Cut::stored ? FrameSource::packets(*tile_slots(parts->wall, {}, PixelFormat::rgb8), load.flows)
                                   : FrameSource::memory(pixel_bytes, load.flows);
  };
  auto source = load.store.empty() ? in_memory() : FrameSource::store(load.store, load.width, load.rows);
  if (!source) return source.error();
  parts->source = std::move(*source);
  if (load.side == Side::both) {
    auto receivers = FlowReceivers::start(load, parts->wall);
    if (!receivers) return receivers.error();
    parts->receivers = std::move(*receivers);
  }
  auto senders = FlowSenders::start(load, parts->wall);
  if (!senders) return senders.error();
  parts->senders = std::move(*senders);
  return std::unique_ptr<FlowRig>(new FlowRig(std::move(parts)));
}

Report FlowRig::facts() const {
  Report report;
  report.figures["source_bytes"] = parts_->source->memory_bytes();
  report.figures["pixel_share"] = parts_->pixel_share;
  if (parts_->receivers) {
    report.figures["area_bytes"] = parts_->receivers->memory_bytes();
    report.figures["receive_buffer_bytes"] = parts_->receivers->socket_bytes();
  }
  return report;
}

Result<Report> FlowRig::measure(double gbit_per_s, std::chrono::milliseconds duration) {
  if (gbit_per_s <= 0) return Error{"a flow cannot have a rate of 0 Gbit/s", "offer it more than it can send"};
  auto& senders = parts_->senders;
  auto* receivers = parts_->receivers.get();
  const Nanoseconds interval{std::llround(parts_->frame_bits / gbit_per_s)};
  const auto frames = static_cast<std::uint32_t>(std::max<std::int64_t>(1, (duration + interval / 2) / interval));
  const auto offered = frames * senders.count();
  const auto sent_before = senders.totals();
  const auto received_before = receivers ? receivers->totals() : ReceivedByFlows{};
  if (receivers) receivers->begin();
  const auto last = parts_->offer(frames, interval);
  if (!last) return last.error();
  SentByFlows sent;
  wait_until(senders_settle, [&] {
    sent = senders.totals() - sent_before;
    return sent.frames + sent.given_up >= offered;
  });

  Report report;
  report.figures = facts().figures;
  report.figures["target_gbit_per_s"] = gbit_per_s;
  report.figures["frames_offered"] = offered;
  report.figures["sent_gbit_per_s"] = rate_of(sent.bytes, frames * interval);
  sent.report(report.figures);
  if (!receivers) return report;
  wait_until(receivers_settle, [&] { return (receivers->totals() - received_before).packets >= sent.packets; });
  std::this_thread::sleep_for(figures_settle);
  auto received = receivers->totals() - received_before;
  // Packets missing at the end of the last frame cause no gap in the numbers.
  received.lost = sent.packets > received.used ? sent.packets - received.used : 0;
  received.report(report.figures);
  report.figures["received_gbit_per_s"] = receivers->gbit_per_second();
  const auto window = SendWindow(parts_->wall).of(interval);
  if (received.whole >= offered)  // the presenting thread sees it a little later
    wait_until(receivers_settle, [&] { return receivers->behind(*last, window).has_value(); });
  if (const auto behind = receivers->behind(*last, window))
    report.figures["behind_ms"] = std::chrono::duration<double, std::milli>(*behind).count();
  if (const auto recorded = receivers->packets_recorded()) report.figures["packets_recorded"] = *recorded;
  return report;
}

Result<Wall> wall_of(const FlowLoad& load) {
  Wall wall;
  wall.name = "bench";
  wall.set_grid({.columns = load.flows, .rows = 1, .tile_width = load.width, .tile_height = load.rows});
  WallNode node;
  node.name = "bench";
  node.address = load.receiver_address;
  for (TileIndex tile; tile.value < wall.tile_count(); ++tile.value) node.tiles.push_back({tile, {}, 0, 0});
  wall.nodes = {node};
  wall.coordinator().interfaces = {load.sender_address};
  auto& streaming = wall.streaming;
  streaming.mtu = load.datagram_bytes + udp_ip_bytes;
  streaming.base_port = load.port;
  streaming.source_port = static_cast<std::uint16_t>(load.port - source_port_below);
  if (!load.defaults) {
    streaming.resend = false;       // lost packets stay lost, and datagrams need no room for the header of resends
    streaming.fec = FecUse::never;  // parity would use a part of the rate to be measured
    streaming.burst_packets = load.burst_packets;
    streaming.pace_fraction = load.pace_fraction;
    streaming.playout_delay = playout_delay;
  }
  streaming.assemble = load.assemble;
  streaming.zero_copy = load.zero_copy;
  streaming.packet_layout = load.cut == Cut::rows ? PacketLayout::in_rows : PacketLayout::in_slots;
  streaming.busy_poll = load.busy_poll;
  streaming.srtp_key_file = load.srtp_key_file;
  streaming.measure = load.measured != Measured::counts;

  const auto layout = layout_of(wall);
  if (!layout) return layout.error();
  const double hertz = load.gbit_per_s * 1e9 / (bits_of(*layout) * load.flows);
  wall.frame_rate = {static_cast<std::int32_t>(std::max(1L, std::lround(hertz * 1000))), 1000};
  if (load.defaults) streaming.playout_delay = default_playout_delay(wall.frame_rate, wall.sync.mode);
  return wall;
}

Result<Report> run(const FlowLoad& load) {
  if (load.side == Side::receiver) {
    const auto wall = wall_of(load);
    return wall ? receive(load, *wall) : Result<Report>(wall.error());
  }
  auto rig = FlowRig::start(load);
  if (!rig) return rig.error();
  if (const auto warm = (*rig)->measure(load.gbit_per_s, warm_up); !warm) return warm.error();
  return (*rig)->measure(load.gbit_per_s, load.duration);
}

}  // namespace lw::bench
