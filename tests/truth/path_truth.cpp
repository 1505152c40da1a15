#include "tests/truth/path_truth.h"

#include "common/wire/ntp_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>

namespace lw::truth {
namespace {

using namespace std::chrono_literals;

constexpr double time_error_us = 0.001;  // of times: a nanosecond, the resolution of stamps and computations
constexpr Nanoseconds late_from = 94ms;  // after its media time a packet of a wall with 100 ms of delay is too late
constexpr unsigned frames_of_gap = 4;    // after more of them without their first packet, jitter begins again
constexpr std::size_t frames_until_settled = 64;
constexpr std::size_t newest_delays = 256, newest_completions = 512;

double microseconds(Nanoseconds time) { return static_cast<double>(time.count()) / 1000; }

// Nearest rank; NaN if there are none.
double quantile(std::vector<double> values, double fraction) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::vector<double> newest(const std::vector<double>& values, std::size_t count) {
  return {values.end() - static_cast<std::ptrdiff_t>(std::min(values.size(), count)), values.end()};
}

struct Counts {
  std::uint64_t packets = 0, second_path = 0, arrived = 0, duplicates = 0, reordered = 0, late = 0, dropped = 0;
  std::uint64_t parity = 0, parity_lost = 0, parity_dropped = 0, resent = 0, repaired = 0, rebuilt = 0;
  std::uint64_t lost = 0, runs = 0, run_max = 0;
};

struct FirstPacket {
  unsigned frame = 0;
  WallTime arrival{};
  Nanoseconds delay{0};  // by a clock without error
};

struct FrameTruth {
  std::set<unsigned> came, rebuilt;  // its own packets
  std::set<unsigned> resent;
  std::set<unsigned> parity;  // of it, those that came
  std::optional<WallTime> opened, completed, first_late, last_late;
  bool first_in_time = false;
};

class Truth {
public:
  Truth(const KnownPath& path, const PathRun& run);

  Counts counts;
  std::vector<FrameTruth> frames;
  std::vector<FirstPacket> firsts;  // in the order of arrival

  // In the order in which the bands became complete.
  [[nodiscard]] std::vector<double> assemble_us() const;
  // Of frames, from the media time to the last packet.
  [[nodiscard]] std::vector<double> completion_us(const PathRun& run) const;
  // Of those that may not change any more, in the order in which they were complete or late.
  [[nodiscard]] std::vector<double> settled_completion_us(const PathRun& run) const;

private:
  void take(const Crossing& crossing);
  void take_own(const Crossing& crossing, FrameTruth& frame);
  void count_losses();
  void count_drops(const std::vector<Crossing>& dropped);
  void complete_by_groups();
  void recover(FrameTruth& frame, unsigned group, unsigned groups, std::span<const std::size_t> came);

  const KnownPath& path_;
  const Flight& flight_;
  std::vector<Crossing> arrivals_;
  std::int64_t highest_ = -1;
};

Truth::Truth(const KnownPath& path, const PathRun& run)
    : frames(path.frames), path_(path), flight_(run.flight), arrivals_(run.flight.crossings) {
  std::vector<Crossing> dropped;
  std::ranges::copy_if(arrivals_, std::back_inserter(dropped), &Crossing::dropped);
  std::erase_if(arrivals_, &Crossing::dropped);
  std::ranges::stable_sort(arrivals_, {}, &Crossing::arrival);
  for (const auto& crossing : arrivals_) take(crossing);
  count_losses();
  count_drops(dropped);
  if (flight_.parity > 0) complete_by_groups();
}

void Truth::take(const Crossing& crossing) {
  auto& frame = frames[crossing.frame];
  ++counts.packets;
  counts.second_path += crossing.way == 1;
  if (crossing.packet >= flight_.packets) {
    ++(frame.parity.insert(crossing.packet).second ? counts.parity : counts.duplicates);
    return;
  }
  if (!crossing.resent) return take_own(crossing, frame);
  ++counts.resent;
  if (frame.came.contains(crossing.packet) || !frame.resent.insert(crossing.packet).second) {
    ++counts.duplicates;
    return;
  }
  ++counts.repaired;
  if (frame.came.size() + frame.resent.size() == flight_.packets) frame.completed = crossing.arrival;
}

void Truth::take_own(const Crossing& crossing, FrameTruth& frame) {
  if (!frame.came.insert(crossing.packet).second) {
    ++counts.duplicates;
    return;
  }
  ++counts.arrived;
  const auto number = std::int64_t{crossing.frame} * flight_.packets + crossing.packet;
  counts.reordered += number < highest_;
  highest_ = std::max(highest_, number);
  if (crossing.packet == 0) firsts.push_back({crossing.frame, crossing.arrival, crossing.delay});
  const bool late = path_.plays() && crossing.arrival > flight_.media_times[crossing.frame] + late_from &&
                    path_.recovery == Recovery::none;
  if (late) {
    ++counts.late;
    if (!frame.first_late) frame.first_late = crossing.arrival;
    frame.last_late = crossing.arrival;
    return;
  }
  if (!frame.opened) frame.opened = crossing.arrival;
  frame.first_in_time |= crossing.packet == 0;
  if (frame.came.size() + frame.resent.size() == flight_.packets) frame.completed = crossing.arrival;
}

// A packet is lost once, whether or not a copy of it was dropped as well.
void Truth::count_drops(const std::vector<Crossing>& dropped) {
  std::set<std::pair<unsigned, unsigned>> packets;
  for (const auto& crossing : dropped) packets.emplace(crossing.frame, crossing.packet);
  for (const auto& [frame, packet] : packets) {
    const bool is_parity = packet >= flight_.packets;
    const bool came = (is_parity ? frames[frame].parity : frames[frame].came).contains(packet);
    (is_parity ? counts.parity_dropped : counts.dropped) += !came;
  }
}

void Truth::count_losses() {
  std::uint64_t run = 0;
  counts.parity_lost = frames.size() * flight_.parity - counts.parity;
  for (const auto& frame : frames)
    for (unsigned packet = 0; packet < flight_.packets; ++packet) {
      const bool lost = !frame.came.contains(packet);
      run = lost ? run + 1 : 0;
      counts.lost += lost;
      counts.runs += run == 1;
      counts.run_max = std::max(counts.run_max, run);
    }
}

// Any k of the k + m packets of a group restore all of it when the k-th arrives (docs/protocol.md): packet i of the
// frame belongs to group i modulo the number of groups; parity follows the frame's own packets in the same rotation.
void Truth::complete_by_groups() {
  const unsigned groups = (flight_.packets + known_fec.data - 1) / known_fec.data;
  std::map<std::pair<unsigned, unsigned>, std::vector<std::size_t>> came;  // (frame, group): in the order of arrival
  for (std::size_t i = 0; i < arrivals_.size(); ++i)
    came[{arrivals_[i].frame, arrivals_[i].packet % groups}].push_back(i);
  for (unsigned number = 0; number < path_.frames; ++number) {
    auto& frame = frames[number];
    frame.completed.reset();
    WallTime completed{};
    bool whole = true;
    for (unsigned group = 0; group < groups; ++group) {
      const auto& arrivals = came[{number, group}];
      const std::size_t data = flight_.packets / groups + (group < flight_.packets % groups ? 1 : 0);
      if (arrivals.size() < data) {
        whole = false;
        continue;
      }
      completed = std::max(completed, arrivals_[arrivals[data - 1]].arrival);
      recover(frame, group, groups, std::span(arrivals).first(data));
    }
    counts.rebuilt += frame.rebuilt.size();
    if (whole) frame.completed = completed;
  }
}

// The group's packets that are not among those that `came` are rebuilt; who arrives after that is late.
void Truth::recover(FrameTruth& frame, unsigned group, unsigned groups, std::span<const std::size_t> came) {
  for (unsigned packet = group; packet < flight_.packets; packet += groups) {
    const auto is_it = [&](std::size_t arrival) { return arrivals_[arrival].packet == packet; };
    if (std::ranges::any_of(came, is_it)) continue;
    frame.rebuilt.insert(packet);
    counts.late += frame.came.contains(packet);
    frame.first_in_time = frame.first_in_time && packet != 0;
  }
}

std::vector<double> Truth::assemble_us() const {
  std::vector<const FrameTruth*> whole;
  for (const auto& frame : frames)
    if (frame.completed) whole.push_back(&frame);
  std::ranges::stable_sort(whole, {}, [](const FrameTruth* frame) { return *frame->completed; });
  std::vector<double> times;
  for (const auto* frame : whole) times.push_back(microseconds(*frame->completed - *frame->opened));
  return times;
}

std::vector<double> Truth::completion_us(const PathRun& run) const {
  std::vector<double> times;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto last = frames[i].last_late ? frames[i].last_late : frames[i].completed;
    if (last) times.push_back(microseconds(*last - run.flight.media_times[i]));
  }
  return times;
}

std::vector<double> Truth::settled_completion_us(const PathRun& run) const {
  std::vector<std::pair<WallTime, double>> times;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto last = frames[i].last_late ? frames[i].last_late : frames[i].completed;
    const auto first = frames[i].first_late ? frames[i].first_late : frames[i].completed;
    if (last) times.emplace_back(*first, microseconds(*last - run.flight.media_times[i]));
  }
  std::ranges::stable_sort(times, {}, &std::pair<WallTime, double>::first);
  std::vector<double> settled;
  for (std::size_t i = 0; i + frames_until_settled < times.size(); ++i) settled.push_back(times[i].second);
  return settled;
}

// Interarrival jitter by RFC 3550 section 6.4.1, after each packet; `gap`: after more frames than this, and back in
// order, it continues from the next.
std::vector<double> jitters_us(const std::vector<FirstPacket>& firsts, const PathRun& run, unsigned gap) {
  std::vector<double> values;
  double jitter = 0;
  for (std::size_t i = 1; i < firsts.size(); ++i) {
    const auto& before = firsts[i - 1];
    const auto& packet = firsts[i];
    if (gap > 0 && (packet.frame < before.frame || packet.frame - before.frame > gap)) continue;
    const auto transit = [&](const FirstPacket& of) { return of.arrival - run.flight.media_times[of.frame]; };
    jitter += (std::abs(microseconds(transit(packet) - transit(before))) - jitter) / 16;
    values.push_back(jitter);
  }
  return values;
}

// |D| of RFC 3550 section 6.4.1, of which the jitter is made.
std::vector<double> delay_changes_us(const std::vector<FirstPacket>& firsts, const PathRun& run) {
  std::vector<double> changes;
  for (std::size_t i = 1; i < firsts.size(); ++i) {
    const auto& before = firsts[i - 1];
    const auto& packet = firsts[i];
    if (packet.frame < before.frame || packet.frame - before.frame > frames_of_gap) continue;
    const auto transit = [&](const FirstPacket& of) { return of.arrival - run.flight.media_times[of.frame]; };
    changes.push_back(std::abs(microseconds(transit(packet) - transit(before))));
  }
  return changes;
}

class Table {
public:
  void count(const std::string& name, double truth, double measured) { figures.push_back({name, truth, measured, 0}); }
  void time(const std::string& name, double truth_us, std::optional<double> measured_us,
            double allowed_us = time_error_us) {
    if (std::isnan(truth_us) && !measured_us) return;  // correctly absent
    figures.push_back({name, truth_us, measured_us.value_or(std::numeric_limits<double>::quiet_NaN()), allowed_us});
  }
  // Of all times, those that are counted in the bucket in which they belong, less those that are counted too much; and
  // the sum.
  void histogram(const std::string& name, const TimeScale& scale, const std::vector<double>& times_us,
                 const TimeHistogram::Reading& reading) {
    std::array<std::uint64_t, TimeScale::size + 1> counts{};
    for (const double time : times_us) {
      std::size_t bucket = 0;
      while (bucket < scale.bounds.size() && time > microseconds(scale.bounds[bucket])) ++bucket;
      ++counts[bucket];
    }
    double right = 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
      right += std::min(static_cast<double>(counts[i]),
                        2 * static_cast<double>(counts[i]) - static_cast<double>(reading.counts[i]));
    count(name + "_bucket", static_cast<double>(times_us.size()), right);
    time(name + "_sum", std::accumulate(times_us.begin(), times_us.end(), 0.0),
         static_cast<double>(reading.sum_ns) / 1000, time_error_us * static_cast<double>(times_us.size() + 1));
  }
  std::vector<Figure> figures;
};

void add_packets(Table& table, const Counts& truth, const PathRun& run) {
  const auto& stats = run.stats;
  const auto count = [&](const char* name, std::uint64_t of_path, std::uint64_t measured) {
    table.count(name, static_cast<double>(of_path), static_cast<double>(measured));
  };
  count("packets", truth.packets, stats.packets);
  count("bytes", run.bytes_delivered, stats.bytes);
  count("second_path", truth.second_path, stats.second_path.value_or(0));
  count("used", truth.arrived - truth.late + truth.repaired, stats.used);
  count("arrived", truth.arrived, stats.arrived);
  count("lost", truth.lost, stats.lost);
  count("lost_settled", truth.lost, stats.lost_settled);
  count("kernel_drops", truth.dropped, stats.kernel_drops.value_or(0));
  count("kernel_drops_settled", truth.dropped, stats.kernel_drops_settled.value_or(0));
  count("loss_runs", truth.runs, stats.loss_runs);
  count("loss_run_max", truth.run_max, stats.loss_run_max);
  count("duplicates", truth.duplicates, stats.duplicates);
  count("reordered", truth.reordered, stats.reordered);
  count("late", truth.late, stats.late);
  count("invalid", 0, stats.invalid);
  count("strangers", 0, stats.strangers);
}

void add_recovery(Table& table, const Counts& truth, const PathRun& run) {
  const auto& stats = run.stats;
  const auto count = [&](const char* name, std::uint64_t of_path, std::uint64_t measured) {
    table.count(name, static_cast<double>(of_path), static_cast<double>(measured));
  };
  count("parity", truth.parity, stats.parity);
  count("parity_lost", truth.parity_lost, stats.parity_lost);
  count("parity_drops", truth.parity_dropped, stats.parity_drops.value_or(0));
  count("rebuilt", truth.rebuilt, stats.rebuilt);
  count("resends_asked", run.asked_again.size(), stats.resends_asked);
  count("resent", truth.resent, stats.resent);
  count("repaired", truth.repaired, stats.repaired);
  count("resends_lost", 0, stats.resends_lost);
  count("resend_drops", 0, stats.resend_drops.value_or(0));
}

// As the sender learns about them.
void add_report(Table& table, const KnownPath& path, const Truth& truth, const PathRun& run) {
  const auto block = run.report.value_or(ReportBlock{});
  const auto last = run.first_number + path.frames * run.flight.packets - 1;
  table.count("RTCP highest number", last, block.highest_sequence);
  table.count("RTCP cumulative lost", static_cast<double>(truth.counts.lost), block.cumulative_lost);
  constexpr double tick_us = 1e6 / rtp_clock_hz;
  table.time("RTCP jitter", jitters_us(truth.firsts, run, frames_of_gap).back(), block.jitter * tick_us, tick_us);
}

void add_bands(Table& table, const KnownPath& path, const Truth& truth, const PathRun& run) {
  // Without a clock that ends them, the newest incomplete bands stay open until their space is needed.
  std::vector<const FrameTruth*> incomplete;
  std::uint64_t whole = 0, without_first = 0;
  for (const auto& frame : truth.frames) {
    if (frame.completed) {
      ++whole;
      without_first += !frame.first_in_time;
    } else if (frame.opened) {
      incomplete.push_back(&frame);
    }
  }
  if (!path.plays())
    incomplete.resize(incomplete.size() - std::min<std::size_t>(incomplete.size(), run.bands_open - 1));
  for (const auto* frame : incomplete) without_first += !frame->first_in_time;
  table.count("bands_whole", static_cast<double>(whole), static_cast<double>(run.stats.bands_whole));
  table.count("bands_incomplete", static_cast<double>(incomplete.size()),
              static_cast<double>(run.stats.bands_incomplete));
  table.count("bands_dropped", 0, static_cast<double>(run.stats.bands_dropped));
  table.count("frames_without_first", static_cast<double>(without_first),
              static_cast<double>(run.stats.frames_without_first));
}

// Figures of packets that are discarded.
void add_discarded(Table& table, const Truth& truth, const PathRun& run) {
  const auto without_first = std::ranges::count_if(
      truth.frames, [](const FrameTruth& frame) { return frame.opened && !frame.came.contains(0); });
  table.count("frames_without_first", static_cast<double>(without_first),
              static_cast<double>(run.stats.frames_without_first));
  table.time("jitter_us", jitters_us(truth.firsts, run, frames_of_gap).back(), run.stats.jitter_us);
}

void add_times(Table& table, const Truth& truth, const PathRun& run) {
  const auto& stats = run.stats;
  std::vector<double> delays;
  for (const auto& first : truth.firsts)
    delays.push_back(microseconds(first.arrival - run.flight.media_times[first.frame]));
  delays = newest(delays, newest_delays);
  table.time("jitter_us", jitters_us(truth.firsts, run, frames_of_gap).back(), stats.jitter_us);
  table.time("delay_us_min", quantile(delays, 0), stats.delay_us_min);
  table.time("delay_us_p50", quantile(delays, 0.5), stats.delay_us_p50);
  table.time("delay_us_p99", quantile(delays, 0.99), stats.delay_us_p99);
  const auto completion = newest(truth.completion_us(run), newest_completions);
  table.time("completion_us_p50", quantile(completion, 0.5), stats.completion_us_p50);
  table.time("completion_us_p99", quantile(completion, 0.99), stats.completion_us_p99);
  const auto assemble = newest(truth.assemble_us(), newest_delays);
  table.time("assemble_us_p50", quantile(assemble, 0.5), stats.assemble.p50);
  table.time("assemble_us_p99", quantile(assemble, 0.99), stats.assemble.p99);
}

void add_histograms(Table& table, const Truth& truth, const PathRun& run) {
  std::vector<double> delays;
  for (const auto& first : truth.firsts)
    delays.push_back(microseconds(first.arrival - run.flight.media_times[first.frame]));
  const auto& [delay_change, delay, completion, assemble] = run.histograms;
  table.histogram("receiver_delay_change_seconds", differences, delay_changes_us(truth.firsts, run), delay_change);
  table.histogram("receiver_delay_seconds", durations, delays, delay);
  table.histogram("receiver_completion_seconds", durations, truth.settled_completion_us(run), completion);
  table.histogram("receiver_assemble_seconds", durations, truth.assemble_us(), assemble);
}

// The same, against a clock without error: what the receiver's clock adds.
void add_true_times(Table& table, const KnownPath& path, const Truth& truth, const PathRun& run) {
  const bool drifts = path.clock_drift_ppm != 0;
  if (path.clock_offset == Nanoseconds{0} && !drifts) return;
  const auto drift_us = [&](Nanoseconds time) {
    return microseconds(time) * static_cast<double>(path.clock_drift_ppm) / 1e6;
  };
  const auto time = [&](const std::string& figure, double truth_us, std::optional<double> measured, double allowed_us) {
    table.time(figure + (drifts ? ", clock 100 ppm fast" : ", clock 1 s ahead"), truth_us, measured,
               allowed_us + 2 * time_error_us);
  };
  std::vector<double> delays;
  for (const auto& first : truth.firsts) delays.push_back(microseconds(first.delay));
  delays = newest(delays, newest_delays);
  const auto& stats = run.stats;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto whole = truth.firsts.back().arrival - run.flight.media_times.front();
  const auto window = truth.firsts.back().arrival - truth.firsts[truth.firsts.size() - delays.size()].arrival;
  time("delay_us_p50", quantile(delays, 0.5), stats.delay_us_p50, microseconds(path.clock_offset) + drift_us(whole));
  time("delay_us_p99 - delay_us_min", quantile(delays, 0.99) - quantile(delays, 0),
       stats.delay_us_p99.value_or(nan) - stats.delay_us_min.value_or(nan), drift_us(window));
  double jitter = 0;
  for (std::size_t i = 1; i < truth.firsts.size(); ++i) {
    if (truth.firsts[i].frame - truth.firsts[i - 1].frame > frames_of_gap) continue;
    jitter += (std::abs(microseconds(truth.firsts[i].delay - truth.firsts[i - 1].delay)) - jitter) / 16;
  }
  time("jitter_us", jitter, stats.jitter_us, drift_us(path.rate().duration_of(frames_of_gap)));
}

// In wall-probe's result, over the measurement.
void add_frame_figures(Table& table, const Truth& truth, const PathRun& run) {
  const auto time = [&](const char* name, const char* key, double truth_us) {
    const auto found = run.frame_figures.find(key);
    table.time(name, truth_us, found == run.frame_figures.end() ? std::nullopt : std::optional(found->second));
  };
  table.count("frames (run)", static_cast<double>(truth.firsts.size()), run.frame_figures.at("frames"));
  const auto jitters = jitters_us(truth.firsts, run, 0);
  time("jitter_us (run)", "jitter_us", jitters.back());
  time("jitter_us_mean (run)", "jitter_us_mean", mean(jitters));
  time("jitter_us_max (run)", "jitter_us_max", quantile(jitters, 1));
  std::vector<double> delays, intervals;
  for (const auto& first : truth.firsts)
    delays.push_back(microseconds(first.arrival - run.flight.media_times[first.frame]));
  std::map<unsigned, WallTime> arrival_of;
  for (const auto& first : truth.firsts) arrival_of[first.frame] = first.arrival;
  for (const auto& [frame, arrival] : arrival_of)  // of two frames of which one is lost, there is none
    if (const auto next = arrival_of.find(frame + 1); next != arrival_of.end())
      intervals.push_back(microseconds(next->second - arrival));
  const double least = quantile(delays, 0);
  time("delay_us_min (run)", "delay_us_min", least);
  time("delay_us_p50 (run)", "delay_us_p50", quantile(delays, 0.5));
  time("pdv_us_p50 (run)", "pdv_us_p50", quantile(delays, 0.5) - least);
  time("pdv_us_p99 (run)", "pdv_us_p99", quantile(delays, 0.99) - least);
  time("pdv_us_max (run)", "pdv_us_max", quantile(delays, 1) - least);
  time("frame_interval_us_min (run)", "frame_interval_us_min", quantile(intervals, 0));
  time("frame_interval_us_mean (run)", "frame_interval_us_mean", mean(intervals));
  time("frame_interval_us_max (run)", "frame_interval_us_max", quantile(intervals, 1));
}

}  // namespace

std::vector<Figure> figures_of(const KnownPath& path, const PathRun& run) {
  const Truth truth(path, run);
  Table table;
  add_packets(table, truth.counts, run);
  if (path.discards) {
    add_discarded(table, truth, run);
    add_frame_figures(table, truth, run);
    return std::move(table.figures);
  }
  add_recovery(table, truth.counts, run);
  add_report(table, path, truth, run);
  add_bands(table, path, truth, run);
  add_times(table, truth, run);
  add_histograms(table, truth, run);
  add_true_times(table, path, truth, run);
  add_frame_figures(table, truth, run);
  return std::move(table.figures);
}

}  // namespace lw::truth
