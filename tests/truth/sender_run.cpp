#include "tests/truth/sender_run.h"

#include "common/wire/media_packet.h"
#include "common/wire/parity_packet.h"
#include "common/wire/rtcp.h"
#include "server/send/flow_sender.h"
#include "tests/support/lone_flow.h"
#include "tests/support/network.h"
#include "tests/truth/sender_ports.h"
#include "wall-client/receive/flow_receiver.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

namespace lw::truth {
namespace {

using namespace std::chrono_literals;

constexpr unsigned frames = 400;
constexpr unsigned width = 320, height = 40;
constexpr std::size_t frame_bytes = std::size_t{width} * height * 3;
constexpr Nanoseconds offered_before = 30ms;
constexpr Nanoseconds step_interval = 100us;
constexpr unsigned stalled_every = 125;  // frames: more than two seconds, the longest window of late_us_max
constexpr std::size_t newest_frames = 256;
constexpr unsigned gone = 40;    // packets long sent that are asked for at the end
constexpr unsigned foreign = 7;  // reports that are none
// The three times of RFC 3550 section 6.4.1 are rounded down to 1/65536 s each.
constexpr double round_trip_error_us = 2e6 / 65536;

enum Kind : std::uint8_t { media, parity, resend };

Wall wall_of(const SenderCase& chosen) {
  Wall wall;
  wall.name = "truth";
  wall.set_grid({.columns = 1, .rows = 1, .tile_width = width, .tile_height = height});
  wall.frame_rate = {50, 1};
  put_on_one_node(wall);
  auto& streaming = wall.streaming;
  streaming.mtu = 1428;
  streaming.burst_packets = 7;
  streaming.resend = chosen.recovery == Recovery::resends;
  streaming.resend_percent = 100;
  streaming.fec = chosen.recovery == Recovery::parity ? FecUse::always : FecUse::never;
  streaming.fec_strength = known_fec;
  streaming.playout_delay = 250ms;
  streaming.keep_late = chosen.recovery != Recovery::resends;
  return wall;
}

struct FrameTimesSeen {
  WallTime read_asked{}, in_memory{};
  std::optional<WallTime> first, last;  // handed to the kernel
};

class SenderRun {
public:
  explicit SenderRun(const SenderCase& chosen);
  std::vector<Figure> play();

private:
  void offer(unsigned frame);
  bool leaves(std::span<const std::byte> datagram);
  void report_leaves(std::span<const std::byte> datagram);
  void report_returns(std::span<const std::byte> datagram);
  void ask_for_gone();
  void step_until(WallTime until);
  void add_counts(Table& table) const;
  void add_times(Table& table) const;
  void add_stage(Table& table, const std::string& name, const StageQuantiles& measured,
                 const std::function<std::optional<Nanoseconds>(const FrameTimesSeen&)>& of) const;
  [[nodiscard]] bool happens(unsigned per_mille) { return random_.below(1000) < per_mille; }
  [[nodiscard]] Nanoseconds delay() { return std::chrono::microseconds{random_.between(3000, 9000)}; }

  const SenderCase chosen_;
  const Wall wall_;
  Random random_;
  Timeline timeline_;
  SenderClock clock_;
  LeavingPort* media_ = nullptr;
  ReportPort* reports_ = nullptr;
  StandInSocket *to_media_ = nullptr, *to_reports_ = nullptr;  // of the receiver
  std::unique_ptr<FramePool> pool_ = FramePool::allocate(64, frame_bytes).value();
  std::unique_ptr<FlowSender> sender_;
  std::unique_ptr<FlowReceiver> receiver_;
  const Address server_ = Address::parse("10.0.0.1", 40000).value();
  const Address node_ = Address::parse("10.0.0.2", 50001).value();
  WallTime begin_{};                        // on the timeline; the media time of the first frame, by the sender's clock
  WallTime stall_begins_{}, stall_ends_{};  // its thread does not run
  std::map<std::uint32_t, std::pair<WallTime, Nanoseconds>> told_;  // by LSR: departure and delay of a sender report
  std::vector<FrameTimesSeen> seen_;
  std::set<unsigned> too_late_;
  std::array<std::uint64_t, 3> left_{}, bytes_{};  // by kind
  unsigned sending_ = 0;                           // frame
  Bytes refused_;                                  // the newest that the kernel refused
  Nanoseconds late_then_{0};
  Nanoseconds late_{0};  // of the newest frame whose sending was stalled
  SenderFlowStats soon_after_;
  SenderFlowStats stats_;
};

SenderRun::SenderRun(const SenderCase& chosen)
    : chosen_(chosen),
      wall_(wall_of(chosen)),
      random_(chosen.seed),
      clock_(timeline_, chosen.clock_offset, chosen.clock_drift_ppm),
      seen_(frames) {
  auto leaving = std::make_unique<LeavingPort>(timeline_, [this](auto datagram) { return leaves(datagram); });
  auto telling = std::make_unique<ReportPort>(timeline_, clock_, [this](auto datagram) { report_leaves(datagram); });
  media_ = leaving.get();
  reports_ = telling.get();
  SenderPorts ports;
  ports.paths.push_back({std::move(leaving), std::move(telling)});
  ports.clock = std::make_unique<SenderClock>(timeline_, chosen.clock_offset, chosen.clock_drift_ppm);
  ports.numbers = lone_numbers;
  sender_ = FlowSender::make(wall_, {0, {}, 0, height}, std::move(ports)).value();
  sender_->begin(50us);
  ReceiverPorts theirs;
  auto media_socket = std::make_unique<StandInSocket>(timeline_, false);
  auto report_socket = std::make_unique<StandInSocket>(
      timeline_, false, [this](const Address&, std::span<const std::byte> datagram) { report_returns(datagram); });
  to_media_ = media_socket.get();
  to_reports_ = report_socket.get();
  theirs.media = std::move(media_socket);
  theirs.control.push_back(std::move(report_socket));
  theirs.waits = false;
  receiver_ = FlowReceiver::make(wall_, {0, {}, 0, height}, -1, std::move(theirs)).value();
}

void SenderRun::offer(unsigned frame) {
  auto* buffer = pool_->take();
  if (buffer == nullptr) return;  // a frame too few, which the counts show
  auto& seen = seen_[frame];
  const auto now = clock_.now().wall;
  auto media_time = clock_.shown_at(begin_) + wall_.frame_rate.duration_of(frame);
  const bool stalls = frame % stalled_every == stalled_every - 1;
  seen.in_memory = now - std::chrono::microseconds{random_.between(10, 900)};
  seen.read_asked = seen.in_memory - std::chrono::microseconds{random_.between(300, 30'000)};
  if (!stalls && happens(chosen_.late_per_mille)) {
    too_late_.insert(frame);
    media_time -= 1s;
  }
  if (stalls) {  // when the frame before has left
    stall_begins_ = timeline_.now().wall + offered_before - 1ms;
    stall_ends_ = stall_begins_ + std::chrono::microseconds{random_.between(3000, 9000)};
  }
  const FrameStamp stamp{media_time, frame, 1, static_cast<std::uint16_t>(frame)};
  if (!sender_->offer(
          {buffer, stamp, PixelFormat::rgb8, wall_.frame_rate.duration_of(1), seen.read_asked, seen.in_memory}))
    buffer->release();
}

// One frame follows the other, and parity ends a frame.
bool SenderRun::leaves(std::span<const std::byte> datagram) {
  MediaPacket packet;
  const bool is_media = parse_media_packet(datagram, packet).empty();
  const auto kind = is_parity(datagram) ? parity : is_media && packet.resent ? resend : media;
  if (kind == media) sending_ = packet.stamp->frame;
  if (kind != resend) {
    auto& seen = seen_[sending_];
    const auto now = clock_.now().wall;
    if (!seen.first && sending_ % stalled_every == stalled_every - 1) late_ = now - packet.stamp->media_time;
    if (!seen.first) seen.first = now;
    seen.last = now;
    // The kernel refuses it again, until the sender gives it up.
    const bool again = std::ranges::equal(refused_, datagram);
    if (again || happens(chosen_.refused_per_mille)) {
      refused_.assign(datagram.begin(), datagram.end());
      return false;
    }
  }
  ++left_[kind];
  bytes_[kind] += datagram.size();
  if (happens(chosen_.loss_per_mille)) return true;
  timeline_.at(timeline_.now().wall + delay(),
               [this, bytes = Bytes(datagram.begin(), datagram.end())] { to_media_->arrive(bytes, server_, false); });
  return true;
}

void SenderRun::report_leaves(std::span<const std::byte> datagram) {
  RtcpContents contents;
  if (!parse_rtcp(datagram, std::nullopt, contents).empty() || !contents.sender) return;
  const auto there = delay();
  told_[ntp_middle(contents.sender->time)] = {timeline_.now().wall, there};
  timeline_.at(timeline_.now().wall + there, [this, bytes = Bytes(datagram.begin(), datagram.end())] {
    to_reports_->arrive(bytes, server_.with_port(40001), false);
  });
}

// RFC 3550 section 6.4.1: the answer names the sender's report by the middle of its NTP time.
void SenderRun::report_returns(std::span<const std::byte> datagram) {
  RtcpContents contents;
  if (!parse_rtcp(datagram, lone_numbers.ssrc, contents).empty()) return;
  const auto back = delay();
  std::optional<TrueRoundTrip> shows;
  if (contents.receiver && contents.receiver->block)
    if (const auto told = told_.find(contents.receiver->block->last_sr); told != told_.end())
      shows = {told->second.second + back, timeline_.now().wall + back - told->second.first};
  timeline_.at(timeline_.now().wall + back, [this, shows, bytes = Bytes(datagram.begin(), datagram.end())] {
    reports_->answer(bytes, node_, shows);
  });
}

// Packets that are no longer kept, and reports about nothing.
void SenderRun::ask_for_gone() {
  std::array<std::byte, rtcp_bytes_max> room{};
  if (chosen_.recovery == Recovery::resends) {
    std::vector<std::int64_t> missing(gone);
    std::iota(missing.begin(), missing.end(), lone_numbers.first_sequence);
    ReportBlock block;
    block.source_ssrc = lone_numbers.ssrc;
    block.highest_sequence = static_cast<std::uint32_t>(missing.back());
    std::size_t taken = 0;
    const auto bytes = encode(ReceiverReport{1, block, std::nullopt}, "test", missing, room, taken);
    reports_->answer(std::span(room).first(bytes), node_, std::nullopt);
  }
  room = {};
  for (unsigned i = 0; i < foreign; ++i) reports_->answer(std::span(room).first(4 + i), node_, std::nullopt);
}

void SenderRun::step_until(WallTime until) {
  while (timeline_.now().wall < until) {
    const auto now = timeline_.now().wall;
    if (now < stall_begins_ || now >= stall_ends_) sender_->step(clock_.now());
    receiver_->step(timeline_.now());
    ReceivedBand band;
    while (receiver_->take_band(band)) receiver_->give_back(band.buffer);
    timeline_.run(timeline_.now().wall + step_interval, [] { return false; });
  }
}

std::vector<Figure> SenderRun::play() {
  step_until(timeline_.now().wall + 1s);
  begin_ = timeline_.now().wall + 100ms;
  for (unsigned frame = 0; frame < frames; ++frame) {
    step_until(begin_ + wall_.frame_rate.duration_of(frame) - offered_before);
    offer(frame);
    if (frame == frames - stalled_every / 2) ask_for_gone();
    // Half a second after the newest stall.
    if (frame % stalled_every == stalled_every / 5 && frame > stalled_every) {
      soon_after_ = sender_->stats();
      late_then_ = late_;
    }
  }
  step_until(timeline_.now().wall + 1500ms);
  stats_ = sender_->stats();
  Table table;
  add_counts(table);
  add_times(table);
  return std::move(table.figures);
}

void SenderRun::add_counts(Table& table) const {
  Stream trial(wall_, {0, {}, 0, height}, std::nullopt, 1, 0);
  const auto frame = trial.cut({begin_, 0, 1, 0}, PixelFormat::rgb8, chosen_.recovery == Recovery::parity);
  const auto packets = static_cast<std::uint64_t>(std::ranges::count(frame, SentKind::media, &SentDatagram::kind));
  const auto sent = frames - too_late_.size();
  const auto count = [&](const char* name, std::uint64_t truth, std::uint64_t measured) {
    table.count(std::string(name) + " (sender)", static_cast<double>(truth), static_cast<double>(measured));
  };
  count("packets", left_[media], stats_.packets);
  count("bytes", bytes_[media], stats_.bytes);
  count("frames", sent, stats_.frames);
  count("frames_skipped", too_late_.size(), stats_.frames_skipped);
  count("send_errors", sent * packets - left_[media], stats_.send_errors);
  count("resent", left_[resend], stats_.resent);
  count("resent_bytes", bytes_[resend], stats_.resent_bytes);
  count("resend_errors", 0, stats_.resend_errors);
  count("resends_refused", chosen_.recovery == Recovery::resends ? gone : 0, stats_.resends_refused);
  count("parity", left_[parity], stats_.parity);
  count("parity_bytes", bytes_[parity], stats_.parity_bytes);
  count("parity_errors", sent * (frame.size() - packets) - left_[parity], stats_.parity_errors);
  count("rtcp_refused", foreign, stats_.rtcp_refused);
  count("calls", media_->calls(), stats_.calls);
  count("zero_copy_calls", 0, stats_.zero_copy_calls);
}

void SenderRun::add_stage(Table& table, const std::string& name, const StageQuantiles& measured,
                          const std::function<std::optional<Nanoseconds>(const FrameTimesSeen&)>& of) const {
  std::vector<double> times;
  for (const auto& seen : seen_)
    if (const auto time = of(seen)) times.push_back(microseconds(*time));
  times = newest(times, newest_frames);
  table.time(name + "_us_p50", quantile(times, 0.5), measured.p50);
  table.time(name + "_us_p99", quantile(times, 0.99), measured.p99);
}

void SenderRun::add_times(Table& table) const {
  using Times = const FrameTimesSeen&;
  add_stage(table, "read", stats_.read, [](Times seen) { return std::optional(seen.in_memory - seen.read_asked); });
  add_stage(table, "queue", stats_.queue, [](Times seen) {
    return seen.first ? std::optional<Nanoseconds>(*seen.first - seen.in_memory) : std::nullopt;
  });
  add_stage(table, "send", stats_.send, [](Times seen) {
    return seen.first ? std::optional<Nanoseconds>(*seen.last - *seen.first) : std::nullopt;
  });
  table.time("late_us_max", microseconds(late_then_), microseconds(soon_after_.late_max));
  const auto trip = reports_->newest().value_or(TrueRoundTrip{});
  const double drift_us =
      microseconds(trip.answered_after) * static_cast<double>(std::abs(chosen_.clock_drift_ppm)) / 1e6;
  table.time("rtt_us", microseconds(trip.there_and_back),
             stats_.round_trip ? std::optional(microseconds(*stats_.round_trip)) : std::nullopt,
             round_trip_error_us + drift_us + time_error_us);
}

}  // namespace

std::vector<SenderCase> sender_cases(std::uint64_t seed) {
  std::vector<SenderCase> cases{
      {.name = "sender, loss 0 %"},
      {.name = "sender, clock 1 s ahead", .late_per_mille = 20, .clock_offset = 1s},
      {.name = "sender, loss 10 %, clock 100 ppm fast", .loss_per_mille = 100, .clock_drift_ppm = 100},
      {.name = "sender, loss 10 %, resends", .loss_per_mille = 100, .recovery = Recovery::resends},
      {.name = "sender, 1 % refused, parity 10+2",
       .loss_per_mille = 10,
       .refused_per_mille = 10,
       .late_per_mille = 20,
       .recovery = Recovery::parity},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].seed = seed * 1000 + 500 + i;
  return cases;
}

std::vector<Figure> figures_of(const SenderCase& chosen) { return SenderRun(chosen).play(); }

}  // namespace lw::truth
