#include "tests/truth/path_truth.h"

#include "common/wire/ntp_time.h"
#include "tests/truth/run_truth.h"

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

constexpr Nanoseconds late_from = 94ms;  // after its media time a packet of a wall with 100 ms of delay is too late
constexpr unsigned frames_of_gap = 4;    // after more of them without their first packet, jitter restarts
constexpr std::size_t frames_until_settled = 64;
constexpr std::size_t newest_delays = 256, newest_completions = 512;

struct Counts {
  std::uint64_t packets = 0, second_path = 0, arrived = 0, duplicates = 0, reordered = 0, late = 0, dropped = 0;
  std::uint64_t parity = 0, parity_lost = 0, parity_dropped = 0, resent = 0, repaired = 0, rebuilt = 0;
  std::uint64_t lost = 0, runs = 0, run_max = 0, invalid = 0, strangers = 0;
};

struct FrameTruth {
  std::set<unsigned> came, rebuilt;  // its own packets
  std::set<unsigned> resent;
  std::set<unsigned> parity;  // of it, those that came
  std::optional<WallTime> opened, completed, first_late, last_late;
  std::optional<WallTime> first_in_time;  // when the packet sent first came, in time to be used
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
  if (flight_.parity > 0 && !path_.discards) complete_by_groups();
  counts.packets += run.intruders.seen();
  counts.invalid += run.intruders.seen();
  counts.strangers = run.intruders.seen() - run.intruders.garbage + run.intruders.kept_out;
}

void Truth::take(const Crossing& crossing) {
  auto& frame = frames[crossing.frame];
  ++counts.packets;
  counts.second_path += crossing.way == 1;
  if (crossing.packet >= flight_.packets && path_.discards) {
    ++counts.invalid;  // this receiver knows no parity
    return;
  }
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
  if (crossing.packet == 0) frame.first_in_time = crossing.arrival;
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
  counts.parity_lost = path_.discards ? 0 : frames.size() * flight_.parity - counts.parity;
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
    if (packet == 0) frame.first_in_time.reset();
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

// Interarrival jitter by RFC 3550 section 6.4.1, after each packet, and since when; `gap`: after more frames than this,
// and back in order, it continues from the next.
struct JitterStep {
  WallTime since{};
  double us = 0;
};
std::vector<JitterStep> jitter_steps(const std::vector<FirstPacket>& firsts, const PathRun& run, unsigned gap) {
  std::vector<JitterStep> steps;
  double jitter = 0;
  for (std::size_t i = 1; i < firsts.size(); ++i) {
    const auto& before = firsts[i - 1];
    const auto& packet = firsts[i];
    if (gap > 0 && (packet.frame < before.frame || packet.frame - before.frame > gap)) continue;
    const auto transit = [&](const FirstPacket& of) { return of.arrival - run.flight.media_times[of.frame]; };
    jitter += (std::abs(microseconds(transit(packet) - transit(before))) - jitter) / 16;
    steps.push_back({packet.arrival, jitter});
  }
  return steps;
}

std::vector<double> jitters_us(const std::vector<FirstPacket>& firsts, const PathRun& run, unsigned gap) {
  std::vector<double> values;
  for (const auto& step : jitter_steps(firsts, run, gap)) values.push_back(step.us);
  return values;
}

// The largest jitter in force between two times.
double largest_jitter_us(const std::vector<JitterStep>& steps, WallTime from, WallTime until) {
  double largest = 0;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].since <= until && (i + 1 == steps.size() || steps[i + 1].since > from))
      largest = std::max(largest, steps[i].us);
  return largest;
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
  count("invalid", truth.invalid, stats.invalid);
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

// Of the frames of which something came, in their order: those that were finished. Without a clock that ends them, the
// newest incomplete bands stay open until their space is needed.
std::vector<const FrameTruth*> finished_frames(const KnownPath& path, const Truth& truth, const PathRun& run) {
  std::vector<const FrameTruth*> finished;
  std::size_t incomplete = 0;
  for (const auto& frame : truth.frames) incomplete += frame.opened && !frame.completed;
  const auto ended = path.plays() ? incomplete : incomplete - std::min<std::size_t>(incomplete, run.bands_open - 1);
  incomplete = 0;
  for (const auto& frame : truth.frames)
    if (frame.completed || (frame.opened && incomplete++ < ended)) finished.push_back(&frame);
  return finished;
}

void add_bands(Table& table, const KnownPath& path, const Truth& truth, const PathRun& run) {
  std::uint64_t whole = 0, incomplete = 0, without_first = 0;
  for (const auto* frame : finished_frames(path, truth, run)) {
    ++(frame->completed ? whole : incomplete);
    without_first += !frame->first_in_time;
  }
  table.count("bands_whole", static_cast<double>(whole), static_cast<double>(run.stats.bands_whole));
  table.count("bands_incomplete", static_cast<double>(incomplete), static_cast<double>(run.stats.bands_incomplete));
  table.count("bands_dropped", 0, static_cast<double>(run.stats.bands_dropped));
  table.count("frames_without_first", static_cast<double>(without_first),
              static_cast<double>(run.stats.frames_without_first));
}

// From the departure of a frame's first packet to its arrival (RFC 7679), by the clocks of both hosts; `newest`: of so
// many frames at the end.
std::vector<double> flights_us(const KnownPath& path, const Truth& truth, const PathRun& run, unsigned newest) {
  std::vector<double> flights;
  for (const auto* frame : finished_frames(path, truth, run)) {
    const auto number = static_cast<unsigned>(frame - truth.frames.data());
    if (frame->first_in_time && number + newest >= path.frames)
      flights.push_back(microseconds(*frame->first_in_time - run.flight.departures[number]));
  }
  return flights;
}

// As the wall's server computes it from the records of both ends, and wall-probe trace.
void add_flights(Table& table, const KnownPath& path, const Truth& truth, const PathRun& run) {
  const auto flights = flights_us(path, truth, run, flights_known);
  table.time("flight_us_p50", quantile(flights, 0.5), run.wall_flow.flight_us_p50);
  table.time("flight_us_p99", quantile(flights, 0.99), run.wall_flow.flight_us_p99);
  table.histogram("flow_flight_seconds", durations, flights, run.wall_flow_histograms[0]);
  const auto all = flights_us(path, truth, run, path.frames);
  table.count("flights (trace)", static_cast<double>(all.size()), static_cast<double>(run.traced_flights_us.size()));
  table.time("flight_us_p50 (trace)", quantile(all, 0.5), quantile(run.traced_flights_us, 0.5));
  table.time("flight_us_max (trace)", quantile(all, 1), quantile(run.traced_flights_us, 1));
}

// Over the last one to two seconds: at least the largest of one second, and at most that of two.
void add_jitter_max(Table& table, const Truth& truth, const PathRun& run) {
  constexpr Nanoseconds published_every = 20ms;
  const auto steps = jitter_steps(truth.firsts, run, frames_of_gap);
  const auto least = largest_jitter_us(steps, run.sampled_at - 1s + published_every, run.sampled_at - published_every);
  const auto most = largest_jitter_us(steps, run.sampled_at - 2s - published_every, run.sampled_at);
  table.time("jitter_max_us", least, run.jitter_max_us, most - least + time_error_us);
}

// Figures of packets that are discarded.
void add_discarded(Table& table, const Truth& truth, const PathRun& run) {
  const auto without_first = std::ranges::count_if(
      truth.frames, [](const FrameTruth& frame) { return frame.opened && !frame.came.contains(0); });
  table.count("frames_without_first", static_cast<double>(without_first),
              static_cast<double>(run.stats.frames_without_first));
  table.time("jitter_us", jitters_us(truth.firsts, run, frames_of_gap).back(), run.stats.jitter_us);
  add_jitter_max(table, truth, run);
}

void add_times(Table& table, const Truth& truth, const PathRun& run) {
  const auto& stats = run.stats;
  std::vector<double> delays;
  for (const auto& first : truth.firsts)
    delays.push_back(microseconds(first.arrival - run.flight.media_times[first.frame]));
  delays = newest(delays, newest_delays);
  table.time("jitter_us", jitters_us(truth.firsts, run, frames_of_gap).back(), stats.jitter_us);
  add_jitter_max(table, truth, run);
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
  for (const auto& first : truth.firsts) delays.push_back(microseconds(since_media(first, run.flight)));
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
    const auto change = since_media(truth.firsts[i], run.flight) - since_media(truth.firsts[i - 1], run.flight);
    jitter += (std::abs(microseconds(change)) - jitter) / 16;
  }
  time("jitter_us", jitter, stats.jitter_us, drift_us(path.rate().duration_of(frames_of_gap)));
  std::vector<double> flights;
  for (const auto* frame : finished_frames(path, truth, run)) {
    const auto number = static_cast<unsigned>(frame - truth.frames.data());
    if (!frame->first_in_time || number + flights_known < path.frames) continue;
    flights.push_back(microseconds(std::ranges::find(truth.firsts, number, &FirstPacket::frame)->delay));
  }
  time("flight_us_p50", quantile(flights, 0.5), run.wall_flow.flight_us_p50,
       microseconds(path.clock_offset) + drift_us(whole));
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
  time("delay_us_min (run)", "delay_us_min", quantile(delays, 0));
  time("delay_us_p50 (run)", "delay_us_p50", quantile(delays, 0.5));
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
    add_run_figures(table, path, run, truth.firsts, truth.counts.lost);
    return std::move(table.figures);
  }
  table.count("strangers", static_cast<double>(truth.counts.strangers), static_cast<double>(run.stats.strangers));
  add_recovery(table, truth.counts, run);
  add_report(table, path, truth, run);
  add_bands(table, path, truth, run);
  add_times(table, truth, run);
  add_histograms(table, truth, run);
  add_flights(table, path, truth, run);
  add_true_times(table, path, truth, run);
  add_frame_figures(table, truth, run);
  add_run_figures(table, path, run, truth.firsts, truth.counts.lost);
  return std::move(table.figures);
}

}  // namespace lw::truth
