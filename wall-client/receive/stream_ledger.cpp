#include "wall-client/receive/stream_ledger.h"

#include <algorithm>

namespace lw {
namespace {

constexpr unsigned readings_per_percentiles = 10;
constexpr double frames_in_time = 0.99;

std::optional<double> microseconds(std::optional<Nanoseconds> time) {
  if (!time) return std::nullopt;
  return static_cast<double>(time->count()) / 1000;
}

}  // namespace

void StreamLedger::restart(std::uint32_t ssrc) {
  counts_.ssrc = ssrc;
  sequences_.begin_stream();
  parity_.restart();
  resends_.restart();
  completion_.clear();
  jitter_.restart();
  has_stamps_ = false;
}

void StreamLedger::forget_times() {
  jitter_.restart();
  delays_us_.clear();
  completion_.clear();
  assemble_times_.clear();
}

void StreamLedger::begin_message(std::uint32_t dropped_before, LocalTime now) {
  drops_.begin_message(dropped_before, streams(), now);
}

void StreamLedger::end_message(LocalTime now) {
  drops_.end_message(streams());
  count_strangers(now);
}

// With two paths, a packet that one of them dropped may have come by the other.
void StreamLedger::count_strangers(LocalTime now) {
  const auto unexplained = drops_.take_unexplained(now);
  if (keeps_out_ && !counts_.second_path) counts_.strangers += unexplained;
}

void StreamLedger::begin_frame(const MediaPacket& packet, WallTime arrival) {
  if (!packet.media_time) return;
  if (!measures_) return;
  const auto tick = tick_of(packet);
  if (recorder_ != nullptr) recorder_->add(FrameArrival{arrival, *packet.media_time, tick});
  if (const auto change = jitter_.add(arrival, *packet.media_time, tick)) histograms_.delay_change.add(*change);
  if (const auto jitter = jitter_.microseconds()) jitter_max_us_.add(*jitter);
  delays_us_.add(static_cast<double>((arrival - *packet.media_time).count()) / 1000);
  histograms_.delay.add(arrival - *packet.media_time);
}

void StreamLedger::finish(const ReceivedBand& band, bool room) {
  counts_.frames_without_first += band.first_arrived == WallTime{};
  if (!measures_) return;
  const auto whole_at = band.whole ? band.finished : WallTime{};
  assemble_times_.add(band.arrived, whole_at, histograms_.assemble);
  records_.add({.media_time = band.media_time,
                .times = {band.arrived, whole_at, band.first_arrived},
                .frame = band.frame,
                .bytes = band.bytes,
                .generation = static_cast<std::uint16_t>(band.generation),
                .tick = band.tick,
                .part = static_cast<std::uint16_t>(band.flow),
                .stripe = 0,
                .step = FrameStep::received,
                .fate = !room           ? FrameFate::left_out
                        : !band.whole   ? FrameFate::incomplete
                        : band.repaired ? FrameFate::repaired
                                        : FrameFate::whole});
}

std::optional<Nanoseconds> StreamLedger::delay_needed() const { return completion_.quantile(frames_in_time); }

ReceiverFlowStats& StreamLedger::figures(LocalTime now) {
  if (recorder_ != nullptr && recorder_->take_beginning()) sequences_.restart_run_max();
  count_strangers(now);
  sequences_.fill_in(counts_);
  counts_.parity_lost = parity_.sequences().lost();
  counts_.resends_lost = resends_.sequences().lost();
  if (counts_.kernel_drops) {
    counts_.parity_drops = parity_.sequences().dropped();
    counts_.resend_drops = resends_.sequences().dropped();
  }
  counts_.jitter_us = jitter_.microseconds();
  jitter_max_us_.add(counts_.jitter_us.value_or(0));
  counts_.jitter_max_us = jitter_max_us_.publish(now);
  if (measures_ && ++readings_ % readings_per_percentiles == 0) {
    const auto delays = delays_us_.quantiles(std::array{0.0, 0.5, 0.99});
    counts_.delay_us_min = delays[0];
    counts_.delay_us_p50 = delays[1];
    counts_.delay_us_p99 = delays[2];
    counts_.completion_us_p50 = microseconds(completion_.quantile(0.5));
    counts_.completion_us_p99 = microseconds(completion_.quantile(0.99));
    counts_.assemble = assemble_times_.quantiles();
  }
  return counts_;
}

}  // namespace lw
