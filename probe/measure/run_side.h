// One host's side of a measurement: its ends of all loads, read at every interval by a thread of its own, and what the
// host did meanwhile.
//
// Threads: all calls by one, but metrics_text(), which is anybody's.
#pragma once

#include "common/base/units.h"
#include "probe/loads/load.h"
#include "probe/loads/load_end.h"
#include "probe/measure/host_counters.h"
#include "probe/measure/interrupt_core.h"
#include "probe/measure/kept_intervals.h"
#include "probe/measure/pinning.h"

#include <nlohmann/json.hpp>

#include <condition_variable>
#include <filesystem>
#include <limits>
#include <mutex>
#include <thread>

namespace lw {

class RunSide {
public:
  // Opens everything, and listens. `records`: a directory for packets' arrivals.
  static Result<std::unique_ptr<RunSide>> prepare(const RunSpec& run, Role role, const SideAddresses& addresses,
                                                  const std::filesystem::path& records);
  ~RunSide();
  RunSide(const RunSide&) = delete;
  RunSide& operator=(const RunSide&) = delete;

  Result<void> start();
  // {"intervals": [...] that ended since the last call, the oldest `intervals_max` of them, "done": whether the time is
  //  over and all of them have been told, "bursts_done" where this side sends a counted number of bursts,
  //  "failure": what broke, and of a traced load "frames": RunFrames}
  nlohmann::json progress(std::size_t intervals_max = std::numeric_limits<std::size_t>::max());
  // What is being sent is; the receivers still listen.
  void stop_sending();
  // {"ends": [...], "host": {...}, "marks": [...], "frames": as progress() has it}
  nlohmann::json finish();
  // What its flows counted last, for Prometheus.
  [[nodiscard]] std::string metrics_text() const;

private:
  struct End {
    const LoadSpec* load = nullptr;
    Direction direction = Direction::forward;
    bool sends = false;
    EndAddresses between;
    std::unique_ptr<LoadEnd> end;
    std::vector<unsigned> cpus;                    // of its flows, in turn; empty: not pinned
    std::vector<FlowReading> first, before, last;  // at the begin of the measurement, of the interval, and now
    std::vector<FlowReading> at_end;               // when the time was over
    std::vector<FlowFigures> figures;
  };

  explicit RunSide(RunSpec run) : run_(std::move(run)) {}
  Result<void> add(const LoadSpec& load, Direction direction, Role role, const SideAddresses& addresses,
                   const std::filesystem::path& records);
  Result<void> move_interrupts(Role role, const SideAddresses& addresses);
  void measure(const std::stop_token& stop);
  bool wait_until(LocalTime time, const std::stop_token& stop);
  // Of all loads that this side sends and that count them; nothing if none does.
  [[nodiscard]] std::optional<unsigned> bursts_left() const;
  void check_bursts();
  nlohmann::json frames_json();
  void end_interval(double begin_s, double end_s);
  void look_for_clock_step(double at_s);
  void look_at_clock_error();
  nlohmann::json host_json() const;
  // Of a flow of a UDP load, at the layers of which this is known: {"media": ..., "ip": ..., "ethernet": ...}.
  nlohmann::json layers_json(const End& end, std::size_t flow, const FlowFigures& counted) const;

  const RunSpec run_;
  PinnedEnds pinned_;
  std::unique_ptr<InterruptCore> interrupts_;  // null: as the host has them
  std::vector<End> ends_;
  std::vector<FrameRecord> frames_;  // of a traced load, that were not told yet
  std::uint64_t frames_dropped_ = 0;
  HostCounters before_, after_;
  double measured_s_ = 0;
  std::optional<Nanoseconds> clocks_;  // system less raw, last
  LocalTime clocks_read_{};
  std::optional<Nanoseconds> clock_error_;  // the largest while it was measured; nothing if it was unknown at any time
  bool clock_looked_at_ = false;

  mutable std::mutex mutex_;  // of what follows: the measuring thread writes it
  std::condition_variable_any wake_;
  KeptIntervals intervals_;
  nlohmann::json marks_ = nlohmann::json::array();
  std::optional<Error> failure_;
  bool done_ = false;
  std::jthread thread_;
};

}  // namespace lw
