#include "probe/run/measurement.h"

#include "common/control/reports.h"

#include <chrono>
#include <thread>

namespace lw {
namespace {

constexpr std::chrono::milliseconds look_up{100};
constexpr std::chrono::milliseconds settle{200};  // for packets that are still under way
constexpr double overtime_s = 10;

class Watch {
public:
  Watch(RunOutcome& outcome, RunSide& own, Peer& peer, const MeasurementListener& listener)
      : outcome_(outcome), own_(own), peer_(peer), listener_(listener) {}

  // False once it is over: its time, or by what broke.
  bool look() {
    const bool own_done = take(own_.progress());
    auto theirs = peer_.progress();
    if (!theirs) {
      outcome_.error = theirs.error().text();
      peer_lost_ = true;
      return false;
    }
    const bool their_done = take(*theirs);
    return outcome_.error.empty() && !(own_done && their_done);
  }
  [[nodiscard]] bool peer_lost() const { return peer_lost_; }
  void take_frames(const nlohmann::json& side) {
    const auto frames = side.find("frames");
    if (frames != side.end() && listener_.on_frames) listener_.on_frames(*frames);
  }

private:
  bool take(const nlohmann::json& progress) {
    for (const auto& entry : progress.value("intervals", nlohmann::json::array())) {
      outcome_.intervals.push_back(entry);
      if (listener_.on_interval && !entry.value("sends", true)) listener_.on_interval(entry);
    }
    take_frames(progress);
    if (outcome_.error.empty()) outcome_.error = progress.value("failure", std::string());
    return progress.value("done", false);
  }

  RunOutcome& outcome_;
  RunSide& own_;
  Peer& peer_;
  const MeasurementListener& listener_;
  bool peer_lost_ = false;
};

}  // namespace

Result<nlohmann::json> measure(const RunSpec& run, Peer& peer, const std::filesystem::path& records,
                               const std::string& command, const std::atomic<bool>& stop,
                               const MeasurementListener& listener) {
  if (const auto prepared = peer.prepare(run); !prepared) return prepared.error();
  auto own = RunSide::prepare(run, Role::client, peer.addresses(), records);
  if (!own) return own.error();
  RunOutcome outcome;
  outcome.same_program = peer.same_program();
  outcome.began = to_iso8601(WallClock::now());
  outcome.command = command;
  if (const auto started = peer.start(); !started) return started.error();
  if (const auto started = (*own)->start(); !started) return started.error();

  Watch watch(outcome, **own, peer, listener);
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(run.warm_up_s + run.duration_s + overtime_s);
  while (watch.look()) {
    std::this_thread::sleep_for(look_up);
    if (stop) outcome.error = "interrupted";
    if (std::chrono::steady_clock::now() > until) outcome.error = "it did not end in time";
    if (!outcome.error.empty()) break;
  }
  (*own)->stop_sending();
  if (!watch.peer_lost())
    if (const auto stopped = peer.stop_sending(); !stopped && outcome.error.empty())
      outcome.error = stopped.error().text();
  std::this_thread::sleep_for(settle);
  outcome.client = (*own)->finish();
  watch.take_frames(outcome.client);
  if (!watch.peer_lost()) {
    auto theirs = peer.finish();
    if (theirs) {
      watch.take_frames(*theirs);
      outcome.server = std::move(*theirs);
    } else if (outcome.error.empty()) {
      outcome.error = theirs.error().text();
    }
  }
  return make_result(run, outcome);
}

}  // namespace lw
