#include "probe/measure/measurement.h"

#include "common/messages/iso_time.h"
#include "probe/measure/run_calls.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace lw {
namespace {

constexpr std::chrono::milliseconds look_up{100};
constexpr std::chrono::milliseconds settle{200};  // for packets still in flight
constexpr double overtime_s = 10;
constexpr std::size_t calls_max = 1U << 20U;  // of a measurement

// A peer, and this host's side towards it.
struct Pair {
  Peer* peer = nullptr;
  std::unique_ptr<RunSide> own;
  bool lost = false;
};

class Watch {
public:
  Watch(RunOutcome& outcome, std::vector<Pair>& pairs, const MeasurementListener& listener)
      : outcome_(outcome), pairs_(pairs), listener_(listener) {}

  // False once the measurement is over: its time, its bursts, or a failure.
  bool look() {
    const auto told = look_at_all();
    return told && !told->done && !told->bursts_done.value_or(false);
  }
  // When all bursts are done, the measurement ends early; receivers are informed last. False once they have been.
  bool look_for_rest() {
    const auto told = look_at_all();
    return told && !told->done;
  }
  // Records of the traced load.
  void take_records(const nlohmann::json& side) {
    const auto frames = side.find("frames");
    if (frames != side.end() && listener_.on_frames) listener_.on_frames(*frames);
    if (const auto calls = side.find("calls"); calls != side.end()) take_calls(*calls);
  }

private:
  void take_calls(const nlohmann::json& json) {
    const auto message = read_message<RunCalls>(json);
    if (!message) {
      if (outcome_.error.empty())
        outcome_.error = "the peer's records of calls cannot be read: " + message.error().text() +
                         "; run the same version of wall-probe on both hosts";
      return;
    }
    auto calls = call_records(*message);
    const auto kept = std::min(calls.size(), calls_max - outcome_.calls.size());
    calls_over_ += calls.size() - kept;
    calls.resize(kept);
    outcome_.calls.insert(outcome_.calls.end(), calls.begin(), calls.end());
    outcome_.calls_missing = message->dropped + calls_over_;
  }
  struct Told {
    bool done = true;                 // the time is over, and all intervals are known
    std::optional<bool> bursts_done;  // for sides that send a counted number of them

    void add(const Told& other) {
      done = done && other.done;
      if (other.bursts_done) bursts_done = bursts_done.value_or(true) && *other.bursts_done;
    }
  };

  // Empty if something failed.
  std::optional<Told> look_at_all() {
    Told all;
    for (auto& pair : pairs_) {
      all.add(take(pair.own->progress()));
      const auto theirs = pair.peer->progress();
      auto taken = theirs ? take_from_peer(*theirs) : theirs.error();
      if (!taken) {
        outcome_.error = taken.error().text();
        pair.lost = true;
        return {};
      }
      all.add(*taken);
    }
    return outcome_.error.empty() ? std::optional(all) : std::nullopt;
  }
  // Another program may send anything.
  Result<Told> take_from_peer(const nlohmann::json& progress) {
    try {
      return take(progress);
    } catch (const nlohmann::json::exception& error) {
      return Error{std::string("the peer's progress cannot be read: ") + error.what(),
                   "run the same version of wall-probe on both hosts"};
    }
  }
  Told take(const nlohmann::json& progress) {
    for (const auto& entry : progress.value("intervals", nlohmann::json::array())) {
      outcome_.intervals.push_back(entry);
      if (listener_.on_interval && !entry.value("sends", true)) listener_.on_interval(entry);
    }
    take_records(progress);
    if (outcome_.error.empty()) outcome_.error = progress.value("failure", std::string());
    Told told{progress.value("done", false), {}};
    if (progress.contains("bursts_done")) told.bursts_done = progress.at("bursts_done").get<bool>();
    return told;
  }

  RunOutcome& outcome_;
  std::vector<Pair>& pairs_;
  const MeasurementListener& listener_;
  std::uint64_t calls_over_ = 0;  // beyond calls_max
};

Result<std::vector<Pair>> prepare(const RunSpec& run, const Peers& peers, const std::filesystem::path& records) {
  std::vector<Pair> pairs;
  for (const auto& load : run.loads)
    if (load.host > peers.size())
      return Error{fmt::format("load {} is of host {}, but there are {}", load.name, load.host, peers.size()),
                   "name that many with --to"};
  for (unsigned i = 0; i < peers.size(); ++i) {
    auto part = run_of_host(run, i);
    if (!part) return part.error();
    if (const auto prepared = peers[i]->prepare(*part); !prepared) return prepared.error();
    auto own = RunSide::prepare(*part, Role::client, peers[i]->addresses(), records);
    if (!own) return own.error();
    pairs.push_back({peers[i].get(), std::move(*own)});
  }
  return pairs;
}

Result<void> start(const std::vector<Pair>& pairs) {
  for (const auto& pair : pairs)
    if (auto started = pair.peer->start(); !started) return started;
  for (const auto& pair : pairs)
    if (auto started = pair.own->start(); !started) return started;
  return {};
}

void stop_sending(const std::vector<Pair>& pairs, RunOutcome& outcome) {
  for (const auto& pair : pairs) {
    pair.own->stop_sending();
    if (pair.lost) continue;
    if (const auto stopped = pair.peer->stop_sending(); !stopped && outcome.error.empty())
      outcome.error = stopped.error().text();
  }
}

void finish(const std::vector<Pair>& pairs, Watch& watch, RunOutcome& outcome) {
  for (const auto& pair : pairs) {
    auto& sides = outcome.hosts.emplace_back();
    sides.client = pair.own->finish();
    watch.take_records(sides.client);
    if (pair.lost) continue;
    auto theirs = pair.peer->finish();
    if (theirs) {
      watch.take_records(*theirs);
      sides.server = std::move(*theirs);
    } else if (outcome.error.empty()) {
      outcome.error = theirs.error().text();
    }
  }
}

}  // namespace

Result<nlohmann::json> measure(const RunSpec& run, const Peers& peers, const std::filesystem::path& records,
                               const std::string& command, const std::atomic<bool>& stop,
                               const MeasurementListener& listener) {
  auto pairs = prepare(run, peers, records);
  if (!pairs) return pairs.error();
  RunOutcome outcome;
  outcome.same_program = peers.front()->same_program();
  outcome.began = to_iso8601(WallClock::now());
  outcome.command = command;
  if (const auto started = start(*pairs); !started) return started.error();

  Watch watch(outcome, *pairs, listener);
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::duration<double>(run.warm_up_s + run.duration_s + overtime_s);
  while (watch.look()) {
    std::this_thread::sleep_for(look_up);
    if (stop) outcome.error = "interrupted";
    if (std::chrono::steady_clock::now() > until) outcome.error = "it did not end in time";
    if (!outcome.error.empty()) break;
  }
  stop_sending(*pairs, outcome);
  while (outcome.error.empty() && watch.look_for_rest() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(look_up);
  std::this_thread::sleep_for(settle);
  finish(*pairs, watch, outcome);
  auto result = make_result(run, outcome);
  if (listener.on_calls) listener.on_calls(outcome.calls, outcome.calls_missing);
  return result;
}

}  // namespace lw
