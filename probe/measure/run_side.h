// One host's side of a measurement: its ends of all loads, which a thread reads at every interval, and the activity of
// the host.
//
// Threads: all calls from one thread, except metrics_text(), which any thread may call.
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
  // Opens everything, and listens. `records`: a directory for the arrivals of packets.
  static Result<std::unique_ptr<RunSide>> prepare(const RunSpec& run, Role role, const SideAddresses& addresses,
                                                  const std::filesystem::path& records);
  ~RunSide();
  RunSide(const RunSide&) = delete;
  RunSide& operator=(const RunSide&) = delete;

  Result<void> start();
  // {"intervals": the oldest `intervals_max` of those that ended since the last call, "done": the time is over and all
  // intervals have been returned, "bursts_done" if this side sends a counted number of bursts, "failure": an error, and
  // for a traced load "frames": RunFrames or, for bursts, "calls": RunCalls}
  nlohmann::json progress(std::size_t intervals_max = std::numeric_limits<std::size_t>::max());
  // Sends the rest of what is being sent, then stops; the receivers still listen.
  void stop_sending();
  // {"ends": [...], "host": {...}, "marks": [...], "frames" or "calls": as in progress()}
  nlohmann::json finish();
  // The newest counts of its flows, for Prometheus.
  [[nodiscard]] std::string metrics_text() const;

private:
  struct End {
    const LoadSpec* load = nullptr;
    Direction direction = Direction::forward;
    bool sends = false;
    EndAddresses between;
    std::unique_ptr<LoadEnd> end;
    std::vector<unsigned> cpus;                    // of its flows in turn; empty: not pinned
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
  // Over all loads that this side sends with counted bursts; empty if there are none.
  [[nodiscard]] std::optional<unsigned> bursts_left() const;
  void check_bursts();
  nlohmann::json frames_json();
  nlohmann::json calls_json();
  void add_records(nlohmann::json& json);
  void end_to_measure();
  void end_interval(double begin_s, double end_s);
  void look_for_clock_step(double at_s);
  void look_at_clock_error();
  nlohmann::json host_json() const;
  // For a flow of a UDP load, at the layers that are known: {"media": ..., "ip": ..., "ethernet": ...}.
  nlohmann::json layers_json(const End& end, std::size_t flow, const FlowFigures& counted) const;

  const RunSpec run_;
  PinnedEnds pinned_;
  std::unique_ptr<InterruptCore> interrupts_;  // null: as configured on the host
  std::vector<End> ends_;
  std::vector<FrameRecord> frames_;  // of a traced load, not yet returned
  std::uint64_t frames_dropped_ = 0;
  std::vector<CallRecord> calls_;  // the same for bursts
  std::uint64_t calls_dropped_ = 0;
  HostCounters before_, after_;
  double measured_s_ = 0;
  std::optional<Nanoseconds> clocks_;  // system minus raw, last reading
  LocalTime clocks_read_{};
  std::optional<Nanoseconds> clock_error_;  // maximum during the measurement; empty if it was ever unknown
  bool clock_looked_at_ = false;

  mutable std::mutex mutex_;  // for the members below, which the measuring thread writes
  std::condition_variable_any wake_;
  KeptIntervals intervals_;
  nlohmann::json marks_ = nlohmann::json::array();
  std::optional<Error> failure_;
  bool done_ = false;
  std::jthread thread_;
};

}  // namespace lw
