#include "probe/loads/udp_load.h"

#include "common/base/cannot_write.h"
#include "common/base/whole_number.h"
#include "common/concurrency/pinned_thread.h"
#include "common/metrics/figures.h"
#include "common/wall/geometry.h"
#include "common/wire/layer_bytes.h"
#include "probe/loads/discarding_flow.h"
#include "probe/loads/frame_source.h"
#include "probe/loads/frame_statistics.h"
#include "probe/loads/packet_records.h"
#include "server/send/flow_sender.h"
#include "wall-client/receive/flow_receiver.h"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <span>

namespace lw {
namespace {

constexpr std::chrono::milliseconds lead{30};  // a frame is offered this long before its media time
constexpr std::chrono::milliseconds playout_delay_min{40};
constexpr std::chrono::milliseconds attend_interval{1};
constexpr std::size_t frame_arrivals_room = 4096;  // per flow, between two readings
constexpr std::size_t packet_arrivals_room = 1U << 17U;
constexpr std::size_t traced_room = 1U << 16U;  // records of frames that nobody has taken yet
// What nobody counts of a flow whose packets have no place.
constexpr std::array not_of_discarded{
    "in_place", "bands_whole", "bands_incomplete", "bands_dropped", "resends_asked", "resent",      "parity",
    "repaired", "rebuilt",     "strangers",        "rtcp_refused",  "parity_lost",   "resends_lost"};
constexpr std::size_t sink_bytes = std::size_t{1} << 30U;  // after this, a sink's file is written again from its start

}  // namespace

Wall udp_wall(const LoadSpec& load, const EndAddresses& addresses) {
  Wall wall;
  wall.name = "probe";
  const bool from_store = load.source != "memory";
  wall.set_grid(
      {.columns = from_store ? 1 : load.flows, .rows = 1, .tile_width = load.width, .tile_height = load.rows});
  wall.frame_rate = {static_cast<std::int32_t>(std::lround(load.frame_rate * 1000)), 1000};
  WallNode node;
  node.name = "probe";
  node.address = addresses.to;
  for (TileIndex tile; tile.value < wall.tile_count(); ++tile.value) node.tiles.push_back({tile, {}, 0, 0});
  wall.nodes = {node};
  wall.coordinator().interfaces = addresses.from;
  auto& streaming = wall.streaming;
  streaming.flows_per_tile = from_store ? load.flows : 1;
  const bool ipv6 = addresses.to.find(':') != std::string::npos;
  streaming.mtu = static_cast<unsigned>(load.datagram_bytes + wire::udp_header_bytes + wire::ip_header_bytes(ipv6));
  streaming.burst_packets = load.burst_packets;
  streaming.pacing = load.pace > 0 ? Pacing::linear : Pacing::none;
  streaming.pace_fraction = load.pace > 0 ? load.pace : 1;
  streaming.resend = false;  // the path itself is measured
  streaming.fec = FecUse::never;
  streaming.keep_late = true;  // including how long it takes
  streaming.card_times = load.hardware_stamps;
  // A frame may take its complete interval to arrive, and longer on a slow path.
  const auto two_frames = std::chrono::ceil<std::chrono::milliseconds>(wall.frame_rate.duration_of(2));
  streaming.playout_delay = std::max(playout_delay_min, two_frames);
  streaming.dscp = load.dscp;
  streaming.base_port = load.base_port;
  streaming.source_port = load.source_port;
  return wall;
}

namespace {

// The figures, separated into totals and gauges.
template <class Stats>
FlowReading reading_of(const Stats& stats) {
  FlowReading reading;
  const Figures<Stats> figures(stats);
  for (std::size_t i = 0; i < figures.values().size(); ++i) {
    const auto& metric = figures.metrics()[i];
    if (const auto value = figures.values()[i].number())
      (metric.counts() ? reading.totals : reading.gauges)[std::string(metric.key)] = *value;
  }
  return reading;
}

// Number of records without room.
std::uint64_t take_records(FrameRecorder& from, std::vector<FrameRecord>& into) {
  FrameRecord record;
  while (from.take(record)) into.push_back(record);
  return from.dropped();
}

// Departure times of frames, and their records for a trace. Used by one thread of the caller at a time.
class Departures {
public:
  Departures(FrameRate rate, std::size_t flows, bool trace) : times_(flows, FrameTimes(rate)), trace_(trace) {}

  void look(std::size_t flow, FrameRecorder& records) {
    FrameRecord record;
    while (records.take(record)) {
      const auto first_sent = record.times[1];
      if (first_sent != WallTime{}) times_[flow].add({record.media_time, first_sent});
      if (!trace_) continue;
      if (traced_.size() < traced_room)
        traced_.push_back(record);
      else
        ++dropped_;
    }
  }
  std::uint64_t take(std::vector<FrameRecord>& into) {
    into.insert(into.end(), traced_.begin(), traced_.end());
    traced_.clear();
    return dropped_;
  }
  [[nodiscard]] std::vector<std::vector<FrameTime>> times() const {
    std::vector<std::vector<FrameTime>> all;
    for (const auto& flow : times_) all.push_back(flow.kept());
    return all;
  }

private:
  std::vector<FrameTimes> times_;  // by flow
  const bool trace_;
  std::vector<FrameRecord> traced_;
  std::uint64_t dropped_ = 0;
};

class UdpSender final : public LoadEnd {
public:
  static Result<std::unique_ptr<LoadEnd>> make(const LoadSpec& load, EndAddresses addresses) {
    std::unique_ptr<UdpSender> end(new UdpSender);
    auto relayed = load;
    if (!load.via.empty()) {
      const auto via = split_host_port(load.via);
      const auto port = via ? whole_number<std::uint16_t>(via->port) : std::nullopt;
      if (!port || !Address::parse(via->host, *port))
        return Error{"via " + load.via + " is not an address with a port", "write it like 127.0.0.2:50000"};
      addresses.to = via->host;
      relayed.base_port = *port;
    }
    end->wall_ = udp_wall(relayed, addresses);
    end->begin_s_ = load.begin_s;
    end->for_s_ = load.for_s;
    auto source = load.source == "memory" ? FrameSource::memory(row_bytes(PixelFormat::rgb8, load.width) * load.rows)
                                          : FrameSource::store(load.source, load.width, load.rows);
    if (!source) return source.error();
    end->source_ = std::move(*source);
    for (const auto& band : all_bands(end->wall_)) {
      auto sender = FlowSender::start(end->wall_, band, cpu_of(load.sender_cpus, band.flow));
      if (!sender) return sender.error();
      end->flows_.push_back(std::move(*sender));
    }
    end->departures_.emplace(end->wall_.frame_rate, end->flows_.size(), load.trace);
    return std::unique_ptr<LoadEnd>(std::move(end));
  }
  ~UdpSender() override { feeder_ = {}; }
  UdpSender(const UdpSender&) = delete;
  UdpSender& operator=(const UdpSender&) = delete;

  Result<void> start() override {
    feeder_ = start_thread("probe-feed", -1, [this](const std::stop_token& stop) { feed(stop); });
    return {};
  }
  void begin_to_measure() override { measured_from_ = LocalClock::now().time_since_epoch().count(); }
  std::vector<FlowReading> read() override {
    std::vector<FlowReading> readings;
    for (const auto& flow : flows_) readings.push_back(reading_of(flow->stats()));
    return readings;
  }
  std::optional<Error> failure() override {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  std::uint64_t take_frames(std::vector<FrameRecord>& into) override {
    const std::lock_guard lock(mutex_);
    look_for_departures();
    auto dropped = departures_->take(into);
    for (const auto& flow : flows_) dropped += flow->records().dropped();
    return dropped;
  }
  std::vector<FlowFigures> finish() override {
    feeder_ = {};
    return std::vector<FlowFigures>(flows_.size());
  }
  std::vector<std::vector<FrameTime>> frame_times() override {
    const std::lock_guard lock(mutex_);
    look_for_departures();
    return departures_->times();
  }

private:
  UdpSender() = default;

  void feed(const std::stop_token& stop) {
    const auto interval = wall_.frame_rate.duration_of(1);
    const auto start = WallClock::now() + 2 * lead;
    for (std::uint32_t frame = 0; !stop.stop_requested(); ++frame) {
      const auto media_time = start + wall_.frame_rate.duration_of(frame);
      sleep_until(media_time - lead);
      if (!is_due()) continue;
      const auto buffer = source_->next();
      if (!buffer) {
        const std::lock_guard lock(mutex_);
        failure_ = buffer.error();
        return;
      }
      const FrameStamp stamp{media_time, frame, 1, static_cast<std::uint16_t>(frame)};
      for (const auto& flow : flows_) {
        (*buffer)->add_users(1);
        // A flow so far behind that it takes no more shows this in its frames and rate.
        if (!flow->offer({*buffer, stamp, (*buffer)->format, interval})) (*buffer)->release();
      }
      (*buffer)->release();
      const std::lock_guard lock(mutex_);
      look_for_departures();
    }
  }
  // The caller holds the mutex.
  void look_for_departures() {
    for (std::size_t i = 0; i < flows_.size(); ++i) departures_->look(i, flows_[i]->records());
  }

  // Whether the load is sent in this part of the measurement.
  [[nodiscard]] bool is_due() const {
    if (for_s_ <= 0) return true;
    const auto from = measured_from_.load();
    if (from == 0) return false;
    const double at_s = static_cast<double>(LocalClock::now().time_since_epoch().count() - from) * 1e-9;
    return at_s >= begin_s_ && at_s < begin_s_ + for_s_;
  }

  Wall wall_;
  double begin_s_ = 0, for_s_ = 0;
  std::atomic<std::int64_t> measured_from_{0};  // by the LocalClock; 0: not yet
  std::unique_ptr<FrameSource> source_;         // before the flows, which send from its memory until they are joined
  std::vector<std::unique_ptr<FlowSender>> flows_;
  std::mutex mutex_;  // for the members below
  std::optional<Error> failure_;
  std::optional<Departures> departures_;
  std::jthread feeder_;
};

// A file into which a flow's bands are written, from its start again when full.
class Sink {
public:
  static Result<Sink> create(const std::filesystem::path& file) {
    Sink sink;
    sink.name_ = file;
    sink.file_.reset(std::fopen(file.c_str(), "wb"));
    if (!sink.file_) return sink.error();
    return sink;
  }
  Result<void> write(std::span<const std::byte> bytes) {
    if (at_ + bytes.size() > sink_bytes) {
      std::rewind(file_.get());
      at_ = 0;
    }
    at_ += bytes.size();
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() || std::fflush(file_.get()) != 0)
      return error();
    return {};
  }

private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[nodiscard]] Error error() const { return cannot_write(name_, "make room, or name another directory as sink"); }
  std::filesystem::path name_;
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t at_ = 0;
};

class UdpReceiver final : public LoadEnd {
public:
  static Result<std::unique_ptr<LoadEnd>> make(const LoadSpec& load, const EndAddresses& addresses,
                                               const std::filesystem::path& records) {
    std::unique_ptr<UdpReceiver> end(new UdpReceiver);
    auto expected = addresses;
    if (expected.from.empty() && !expected.from_peer.empty()) expected.from = {expected.from_peer};
    if (!load.via.empty()) expected.from.clear();  // the relay's address, which is unknown
    const auto wall = udp_wall(load, expected);
    end->width_ = load.width;
    if (load.records == Records::packets) {
      std::error_code none;  // reported when files are opened in it
      std::filesystem::create_directories(records.parent_path(), none);
      auto writer = PacketRecordWriter::create(records);
      if (!writer) return writer.error();
      end->records_.emplace(std::move(*writer));
    }
    for (const auto& band : all_bands(wall)) {
      auto& flow =
          *end->flows_.emplace_back(std::make_unique<Flow>(end->records_ ? packet_arrivals_room : 0, wall.frame_rate));
      if (load.sink == "none") {
        auto discarding = DiscardingFlow::start(wall, band, cpu_of(load.receiver_cpus, band.flow), flow.recorder);
        if (!discarding) return discarding.error();
        flow.discarding = std::move(*discarding);
        continue;
      }
      if (load.sink != "memory") {
        auto sink = Sink::create(std::filesystem::path(load.sink) / fmt::format("{}-{}.raw", load.name, band.flow));
        if (!sink) return sink.error();
        flow.sink.emplace(std::move(*sink));
      }
      auto receiver =
          FlowReceiver::start(wall, band, cpu_of(load.receiver_cpus, band.flow), nullptr, nullptr, &flow.recorder);
      if (!receiver) return receiver.error();
      flow.receiver = std::move(*receiver);
    }
    end->attendant_ =
        start_thread("probe-take", -1, [raw = end.get()](const std::stop_token& stop) { raw->attend(stop); });
    return std::unique_ptr<LoadEnd>(std::move(end));
  }
  ~UdpReceiver() override { attendant_ = {}; }
  UdpReceiver(const UdpReceiver&) = delete;
  UdpReceiver& operator=(const UdpReceiver&) = delete;

  void begin_to_measure() override {
    measure_from_ = WallClock::now().time_since_epoch().count();
    for (const auto& flow : flows_) flow->recorder.begin_to_measure();
  }
  void end_to_measure() override {
    auto open = no_time;  // only the first call sets it
    measure_until_.compare_exchange_strong(open, WallClock::now().time_since_epoch().count());
  }
  std::vector<FlowReading> read() override {
    std::vector<FlowReading> readings;
    for (const auto& flow : flows_) {
      readings.push_back(reading_of(flow->stats()));
      if (flow->discarding)
        for (const auto* name : not_of_discarded) readings.back().totals.erase(name);
    }
    return readings;
  }
  std::optional<Error> failure() override {
    const std::lock_guard lock(mutex_);
    return failure_;
  }
  std::uint64_t take_frames(std::vector<FrameRecord>& into) override {
    std::uint64_t dropped = 0;
    for (const auto& flow : flows_)
      if (flow->receiver) dropped += take_records(flow->receiver->records(), into);
    return dropped;
  }
  std::vector<FlowFigures> finish() override {
    attendant_ = {};
    std::vector<FlowFigures> figures;
    for (const auto& flow : flows_) {
      figures.push_back(flow->statistics.figures());
      figures.back()["receive_buffer_bytes"] = static_cast<double>(flow->receive_buffer_bytes());
      flow->receiver.reset();
      flow->discarding.reset();
      if (flow->recorder.left_out() > 0)
        figures.back()["records_left_out"] = static_cast<double>(flow->recorder.left_out());
    }
    if (records_)
      if (const auto done = records_->finish(); !done) fail(done.error());
    return figures;
  }
  std::vector<std::vector<FrameTime>> frame_times() override {
    std::vector<std::vector<FrameTime>> all;
    for (const auto& flow : flows_) all.push_back(flow->arrivals.kept());
    return all;
  }

private:
  struct Flow {
    Flow(std::size_t packets, FrameRate rate) : recorder(frame_arrivals_room, packets), arrivals(rate) {}
    [[nodiscard]] ReceiverFlowStats stats() const { return receiver ? receiver->stats() : discarding->stats(); }
    [[nodiscard]] std::size_t receive_buffer_bytes() const {
      return receiver ? receiver->receive_buffer_bytes() : discarding->receive_buffer_bytes();
    }
    ArrivalRecorder recorder;
    std::unique_ptr<FlowReceiver> receiver;  // destroyed first; or
    std::unique_ptr<DiscardingFlow> discarding;
    FrameStatistics statistics;
    FrameTimes arrivals;
    std::optional<Sink> sink;
  };
  UdpReceiver() = default;

  // Like a presenter, but at once.
  void attend(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      for (const auto& flow : flows_) {
        if (flow->receiver) take_bands(*flow);
        take_arrivals(*flow);
      }
      std::this_thread::sleep_for(attend_interval);
    }
    for (const auto& flow : flows_) take_arrivals(*flow);
  }
  void take_bands(Flow& flow) {
    ReceivedBand band;
    while (flow.receiver->take_band(band)) {
      if (flow.sink && band.whole) {
        const std::size_t bytes = row_bytes(band.format, width_) * band.rows;
        if (const auto written = flow.sink->write({band.pixels.at(0), bytes}); !written) {
          fail(written.error());
          flow.sink.reset();
        }
      }
      flow.receiver->give_back(band.buffer);
    }
  }
  void take_arrivals(Flow& flow) {
    const WallTime from{Nanoseconds{measure_from_.load()}}, until{Nanoseconds{measure_until_.load()}};
    FrameArrival frame;
    while (flow.recorder.take(frame)) {
      if (frame.arrival < from || frame.arrival > until) continue;
      flow.statistics.add(frame);
      flow.arrivals.add({frame.media_time, frame.arrival});
    }
    if (!records_) return;
    std::array<PacketRecord, 1024> packets{};
    for (std::size_t count = packets.size(); count == packets.size();) {
      for (count = 0; count < packets.size() && flow.recorder.take(packets[count]);) ++count;
      if (const auto written = records_->write({packets.data(), count}); !written) {
        fail(written.error());
        records_.reset();
        return;
      }
    }
  }
  void fail(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = error;
  }

  unsigned width_ = 0;
  std::optional<PacketRecordWriter> records_;
  std::vector<std::unique_ptr<Flow>> flows_;
  // By the WallClock: the frames that arrive between these times are measured.
  static constexpr auto no_time = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> measure_from_{no_time}, measure_until_{no_time};
  std::mutex mutex_;
  std::optional<Error> failure_;
  std::jthread attendant_;
};

}  // namespace

Result<std::unique_ptr<LoadEnd>> make_udp_sender(const LoadSpec& load, const EndAddresses& addresses) {
  return UdpSender::make(load, addresses);
}
Result<std::unique_ptr<LoadEnd>> make_udp_receiver(const LoadSpec& load, const EndAddresses& addresses,
                                                   const std::filesystem::path& records) {
  return UdpReceiver::make(load, addresses, records);
}

}  // namespace lw
