// Tries a flow's thread on another CPU during playback: its figures over a time before the move and over an equal
// time after it, from `stats`. Sends no requests and draws nothing.
#pragma once

#include "common/messages/stats.h"

#include <QString>

#include <optional>

namespace lw {

struct TrialMove {
  QString node;  // empty: the server
  int flow = 0;
  int from = 0, to = 0;  // CPUs
};

// End to end for the flow, except the CPU time, which is the moved thread's. Figures not measured are absent.
struct TrialFigures {
  int samples = 0;
  std::optional<double> gbit_per_s;   // mean
  std::optional<double> late_us_max;  // worst burst behind its time
  std::optional<double> jitter_us;    // mean
  std::optional<double> cpu_share;    // of a core
  std::optional<qint64> lost, kernel_drops;
};

class PlacementTrial {
public:
  enum class Stage : unsigned char { idle, before, settling, after, done };
  static constexpr int window_samples = 50;  // 5 s, before and after
  static constexpr int settle_samples = 25;  // after the move, counted in neither: late_us_max looks back two seconds

  void begin(const TrialMove& move);
  void forget() { stage_ = Stage::idle; }
  // True when the thread should be moved.
  bool add(const Stats& stats);

  [[nodiscard]] Stage stage() const { return stage_; }
  [[nodiscard]] const TrialMove& move() const { return move_; }
  [[nodiscard]] const TrialFigures& before() const { return before_.figures; }
  [[nodiscard]] const TrialFigures& after() const { return after_.figures; }
  // The thread runs where it should.
  [[nodiscard]] bool arrived() const { return arrived_; }

private:
  struct Window {
    TrialFigures figures;
    double gbit_per_s = 0, jitter_us = 0;  // sums
    int rates = 0, jitters = 0;
    std::optional<double> first_cpu_s, first_s;
    std::optional<qint64> first_lost, first_drops;
  };
  void take(Window& window, const Figures<SenderFlowStats>& sender, const ReceiverFlowReport& receiver) const;

  Stage stage_ = Stage::idle;
  TrialMove move_;
  Window before_, after_;
  int settled_ = 0;
  double seconds_ = 0;  // of the stats since the beginning
  bool arrived_ = false;
};

}  // namespace lw
