// Bursts by flow, as far as the counts of `stats` show them: bursts of lost packets, and how many packets one system
// call received (docs/metrics.md: `lost_settled`, `loss_runs`, `loss_run_max`, `packets`, `calls`). Flows that lose
// nothing take no memory for losses. Fed by `stats`, after the history; recorded sessions feed the same code. Draws
// nothing.
#pragma once

#include "common/messages/stats.h"
#include "wall-control/models/flow_history.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace lw {

// Consecutive samples, in each of which packets were found to be lost. Samples are a tenth of a second, so that two
// losses that are closer together are one burst.
struct LossBurst {
  qint64 first = 0, last = 0;  // samples (SampleTimes), both inclusive
  qint64 lost = 0;             // packets
  qint64 runs = 0;             // uninterrupted runs of them (RFC 3611)

  [[nodiscard]] double seconds() const {
    return static_cast<double>(last - first + 1) / TimeSeries::samples_per_second;
  }
  bool operator==(const LossBurst&) const = default;
};

class FlowBursts {
public:
  static constexpr std::size_t bursts_max = 4096;          // the oldest go first
  static constexpr double per_call_resolution = 1 / 16.0;  // of per_call()

  void add(const Figures<ReceiverFlowStats>& figures, qint64 sample);

  // Whether the node counts runs of lost packets.
  [[nodiscard]] bool counts_runs() const { return runs_.has_value(); }
  [[nodiscard]] bool counts_calls() const { return calls_.has_value(); }
  // Those of which a part is in the range; a burst counts as a whole.
  [[nodiscard]] std::vector<LossBurst> losses(qint64 first, qint64 last) const;
  // Since the node's program started.
  [[nodiscard]] std::optional<qint64> longest_run() const { return longest_run_; }
  // Mean number of packets that a call received, of each sample in the range that has one; the newest ten minutes are
  // kept.
  [[nodiscard]] std::vector<float> per_call(qint64 first, qint64 last) const;

private:
  void take_losses(qint64 lost, qint64 runs);
  void take_calls(std::optional<double> packets_per_call);

  qint64 sample_ = -1;  // the newest
  std::optional<qint64> lost_, runs_, packets_, calls_, longest_run_;
  std::deque<LossBurst> losses_;
  std::vector<quint16> per_call_;  // a ring by sample, in units of its resolution; 0: not measured
};

class Bursts {
public:
  // The history must outlive this.
  explicit Bursts(const FlowHistory& history) : history_(history) {}

  void add(const Stats& stats);
  void forget() { flows_.clear(); }
  // None before its first report.
  [[nodiscard]] const FlowBursts* of(int flow) const;

private:
  const FlowHistory& history_;
  std::map<int, FlowBursts> flows_;
};

}  // namespace lw
