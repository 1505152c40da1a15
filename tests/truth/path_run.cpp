#include "tests/truth/path_run.h"

#include "common/plan/buffers.h"
#include "probe/loads/discarding_flow.h"
#include "probe/loads/frame_statistics.h"
#include "probe/trace/trace.h"
#include "server/control/flight_watch.h"
#include "tests/support/lone_flow.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/stream.h"
#include "tests/support/timeline_clock.h"
#include "wall-client/receive/flow_receiver.h"

#include <algorithm>
#include <array>
#include <memory>

namespace lw::truth {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t media_ssrc = 0xABCD;
constexpr std::uint32_t other_ssrc = 0xDCBA;
constexpr Nanoseconds round_trip_of_resends = 10ms;
constexpr Nanoseconds after_the_last = 2s;  // until all bands are finished, and all figures updated and reported

Wall wall_of(const KnownPath& path) {
  Wall wall;
  wall.name = "truth";
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = 320, .tile_height = 40});
  wall.frame_rate = path.rate();
  put_on_one_node(wall, path.two_ways);
  auto& streaming = wall.streaming;
  streaming.mtu = 1428;
  streaming.burst_packets = path.burst();
  streaming.resend = path.recovery == Recovery::resends;
  streaming.fec = path.recovery == Recovery::parity ? FecUse::always : FecUse::never;
  streaming.fec_strength = known_fec;
  streaming.playout_delay = path.recovery == Recovery::resends ? 250ms : 100ms;
  streaming.keep_late = !path.plays();
  return wall;
}

const std::array<Address, 2>& servers() {
  static const std::array result{Address::parse("10.0.0.1", 40000).value(), Address::parse("10.0.1.1", 40000).value()};
  return result;
}

class Run {
public:
  Run(const KnownPath& path, const Capture& capture);
  PathRun play();

private:
  void introduce();
  void cut(unsigned frame);
  void deliver(std::size_t first, std::size_t last);
  void hear(std::span<const std::byte> datagram);
  void resend(std::uint32_t number);
  void arrive(const Bytes& bytes, unsigned way, bool follows);
  void intrude(unsigned frame);
  void take();
  void depart(unsigned frame);
  void join_flights();

  const KnownPath& path_;
  const Capture& capture_;
  const Wall wall_;
  const Band band_;
  Timeline timeline_;
  Stream stream_;
  std::vector<std::vector<SentDatagram>> frames_;
  StandInSocket* media_ = nullptr;
  std::vector<StandInSocket*> control_;
  ArrivalRecorder recorder_{4096, 0};
  FrameStatistics statistics_;
  FrameTimes departures_, arrivals_;
  FlightWatch flights_;
  Trace trace_;
  std::unique_ptr<FlowReceiver> receiver_;  // or
  std::unique_ptr<DiscardingFlow> discarding_;
  PathRun result_;
};

// Numbers that wrap, on some of the paths: 16 bits on all, 32 bits if the number begins near their end.
std::uint32_t first_number_of(const KnownPath& path) {
  const auto seed = static_cast<std::uint32_t>(path.seed);
  return seed % 3 == 0 ? 0xFFFFE000U + seed : seed * 0x9E3779B9U;
}

Run::Run(const KnownPath& path, const Capture& capture)
    : path_(path),
      capture_(capture),
      wall_(wall_of(path)),
      band_{0, {}, 0, wall_.grid.tile_height},
      stream_(wall_, band_, std::nullopt, media_ssrc, first_number_of(path)),
      departures_(path.rate()),
      arrivals_(path.rate()) {
  result_.first_number = first_number_of(path);
  ReceiverPorts ports;
  auto media = std::make_unique<StandInSocket>(timeline_, path.delays == Delays::constant);
  media_ = media.get();
  ports.media = std::move(media);
  for (unsigned way = 0; way < (path.two_ways ? 2U : 1U); ++way) {
    auto control = std::make_unique<StandInSocket>(
        timeline_, false, [this](const Address&, std::span<const std::byte> datagram) { hear(datagram); });
    control_.push_back(control.get());
    ports.control.push_back(std::move(control));
  }
  ports.counts_drops = true;
  ports.keeps_out = true;  // so that no packet of the stream may be taken for an unknown source's
  if (path.discards) {
    ports.clock = std::make_unique<TimelineClock>(timeline_);
    discarding_ = DiscardingFlow::make(wall_, band_, std::move(ports), recorder_);
    return;
  }
  receiver_ = FlowReceiver::make(wall_, band_, -1, std::move(ports), nullptr, &recorder_).value();
  result_.bands_open = static_cast<unsigned>(client_bands_open(wall_.streaming, wall_.frame_rate));
}

// From a sender report the receiver learns whom to answer.
void Run::introduce() {
  if (discarding_) return;  // it answers nobody
  std::array<std::byte, rtcp_bytes_max> room{};
  const auto bytes = encode(SenderReport{media_ssrc, timeline_.now().wall, 1, 1, 1}, "server@host", false, room);
  for (std::size_t way = 0; way < control_.size(); ++way)
    control_[way]->arrive(std::span(room).first(bytes), servers()[way].with_port(40001), false);
}

void Run::cut(unsigned frame) {
  if (frame == 0) introduce();
  const FrameStamp stamp{result_.flight.media_times[frame], frame, 1, static_cast<std::uint16_t>(frame + 65'500)};
  frames_[frame] = stream_.cut(stamp, PixelFormat::rgb8, path_.recovery == Recovery::parity);
  depart(frame);
}

// As the sender's record says.
void Run::depart(unsigned frame) {
  FrameRecord record{.media_time = result_.flight.media_times[frame], .frame = frame, .step = FrameStep::sent};
  record.times[1] = result_.flight.departures[frame];
  departures_.add({record.media_time, record.times[1]});
  trace_.records.push_back(record);
  if (frame + flights_known >= path_.frames) flights_.sent(record);
}

// One datagram after each third frame, of each kind in turn. Where packets are lost, a drop may be of the flow's own
// packets.
void Run::intrude(unsigned frame) {
  auto& count = result_.intruders;
  switch (frame / 3 % (path_.loss_per_mille > 0 ? 3 : 4)) {
    case 0:
      ++count.garbage;
      return arrive(Bytes(200, std::byte{0x17}), 0, false);
    case 1: {
      ++count.elsewhere;
      const auto& bytes = frames_[frame].back().bytes;
      result_.bytes_delivered += bytes.size();
      return media_->arrive(bytes, Address::parse("10.9.9.9", 40000).value(), false);
    }
    case 2: {
      ++count.other_ssrc;
      Stream other(wall_, band_, std::nullopt, other_ssrc, 5);
      return arrive(other.cut({timeline_.now().wall, 0, 1, 0}, PixelFormat::rgb8, false).front().bytes, 0, false);
    }
    default:
      ++count.kept_out;
      media_->drop();
  }
}

// Packets that arrive together are one event: the kernel may coalesce it.
void Run::deliver(std::size_t first, std::size_t last) {
  const auto& crossings = result_.flight.crossings;
  for (auto i = first; i < last; ++i) {
    const auto& crossing = crossings[i];
    if (crossing.dropped) {
      media_->drop();
      continue;
    }
    const bool follows = i > first && crossings[i - 1].way == crossing.way;
    arrive(frames_[crossing.frame][crossing.packet].bytes, crossing.way, follows);
  }
}

void Run::arrive(const Bytes& bytes, unsigned way, bool follows) {
  result_.bytes_delivered += bytes.size();
  if (capture_) capture_(timeline_.now().wall, bytes);
  media_->arrive(bytes, servers()[way], follows);
}

// Reports and requests are never lost.
void Run::hear(std::span<const std::byte> datagram) {
  RtcpContents contents;
  if (!parse_rtcp(datagram, media_ssrc, contents).empty()) return;
  if (contents.receiver) result_.report = contents.receiver->block;
  for_each_missing(contents, [&](std::uint32_t number) {
    result_.asked_again.insert(number - result_.first_number);
    timeline_.at(timeline_.now().wall + round_trip_of_resends, [this, number] { resend(number); });
  });
}

void Run::resend(std::uint32_t number) {
  const auto datagram = stream_.resend(number);
  if (!datagram) return;
  const auto index = number - result_.first_number;
  result_.flight.crossings.push_back({.frame = index / result_.flight.packets,
                                      .packet = index % result_.flight.packets,
                                      .resent = true,
                                      .arrival = timeline_.now().wall});
  arrive(datagram->bytes, 0, false);
}

void Run::take() {
  ReceivedBand band;
  while (receiver_ && receiver_->take_band(band)) {
    ++result_.bands_handed_over;
    receiver_->give_back(band.buffer);
  }
  FrameArrival frame;
  while (recorder_.take(frame)) {
    statistics_.add(frame);
    arrivals_.add({frame.media_time, frame.arrival});
  }
  FrameRecord record;
  while (receiver_ && receiver_->records().take(record)) {
    trace_.records.push_back(record);
    flights_.received(record);
  }
}

// The flight as the server and wall-probe's trace know it.
void Run::join_flights() {
  const auto& flight_us = flights_.flight_us();
  result_.wall_flow = {flight_us.quantile(0.5), flight_us.quantile(0.99)};
  result_.wall_flow_histograms = read_histograms(flights_.histograms());
  for (const auto& stage : stages_of(trace_))
    if (stage.kind == StageKind::flight)
      result_.traced_flights_us.push_back(static_cast<double>((stage.to - stage.from).count()) / 1000);
  result_.departures = departures_.kept();
  result_.arrivals = arrivals_.kept();
}

PathRun Run::play() {
  const bool with_parity = path_.recovery == Recovery::parity;
  const auto begin = timeline_.now().wall + 3s;
  // Another stream is cut into packets to find how many a frame has.
  Stream trial(wall_, band_, std::nullopt, 1, 0);
  const auto frame = trial.cut({begin, 0, 1, 0}, PixelFormat::rgb8, with_parity);
  const auto media = static_cast<unsigned>(std::ranges::count(frame, SentKind::media, &SentDatagram::kind));
  result_.flight = fly(path_, media, static_cast<unsigned>(frame.size()) - media, begin);
  frames_.resize(path_.frames);
  for (unsigned i = 0; i < path_.frames; ++i)
    timeline_.at(path_.arrival_clock(begin, result_.flight.media_times[i] - begin), [this, i] { cut(i); });
  const auto& crossings = result_.flight.crossings;
  const auto sent = crossings.size();
  for (std::size_t first = 0, last = 0; first < sent; first = last) {
    while (last < sent && crossings[last].arrival == crossings[first].arrival) ++last;
    timeline_.at(crossings[first].arrival, [this, first, last] { deliver(first, last); });
  }
  const auto clock_of = [&](unsigned number, Nanoseconds later) {
    return path_.arrival_clock(begin, result_.flight.media_times[number] - begin + later);
  };
  if (path_.intruders)
    for (unsigned i = 3; i + 60 < path_.frames; i += 3) timeline_.at(clock_of(i, 18ms), [this, i] { intrude(i); });
  result_.sampled_at = clock_of(path_.frames * 3 / 4, 1ms);
  timeline_.at(result_.sampled_at, [this] {
    const auto stats = receiver_ ? receiver_->stats() : discarding_->stats();
    if (stats.jitter_us) result_.jitter_max_us = stats.jitter_max_us;
  });
  const auto end = crossings.back().arrival + after_the_last;
  while (timeline_.now().wall < end) {
    Agent& flow = receiver_ ? static_cast<Agent&>(*receiver_) : *discarding_;
    flow.step(timeline_.now());
    take();
  }
  result_.stats = receiver_ ? receiver_->stats() : discarding_->stats();
  if (receiver_) result_.histograms = read_histograms(receiver_->histograms());
  result_.frame_figures = statistics_.figures();
  join_flights();
  return std::move(result_);
}

}  // namespace

PathRun run_over(const KnownPath& path, const Capture& capture) { return Run(path, capture).play(); }

}  // namespace lw::truth
