// How the wall is, by what the audience saw in the last ten seconds: the state of each tile, with the one figure that
// explains it, and one answer for the wall. Severity is what can be seen: repaired loss is a warning; concealed,
// missing or late frames are faults. A state worsens at once; it improves when its reason is ten seconds past. Uses no
// clock but the samples', so that a recorded session has the same states as the live one. Draws nothing.
#pragma once

#include "wall-control/models/flow_history.h"
#include "wall-control/models/health_figures.h"
#include "wall-control/models/limits.h"
#include "wall-control/models/wall_status.h"
#include "wall-control/ui/state_shape.h"

#include <QString>

#include <array>
#include <vector>

namespace lw {

struct TileHealth {
  State state = State::off;
  QString badge;  // "0.9 % loss", "3 concealed", "31 ms late"; empty if the tile is healthy
};

// The figures of a tile over the last ten seconds.
struct TileCondition {
  State state = State::off;
  bool dark = false;    // shows nothing now
  int dark_tenths = 0;  // of the last ten seconds
  qint64 not_shown = 0, concealed = 0, late = 0;
  qint64 lost = 0, received = 0;      // packets
  bool lossy = false;                 // beyond the limit
  bool slow = false, behind = false;  // lateness and skew beyond their limits
  bool alarmed = false;               // an alarm about the tile or its flows, unless it is quiet
  std::optional<double> lateness_us, behind_us;
  qint64 since_ms = 0;  // the state is not ok

  [[nodiscard]] qint64 faults() const { return not_shown + concealed + late; }
  [[nodiscard]] double loss_share() const {
    return lost > 0 ? static_cast<double>(lost) / static_cast<double>(lost + received) : 0;
  }
};

// The first that holds.
enum class WallState : unsigned char { no_connection, nothing_plays, faults, degraded, healthy };

struct Answer {
  WallState wall = WallState::no_connection;
  State state = State::off;
  QString words;
};

struct StateCounts {
  int ok = 0, warn = 0, crit = 0, off = 0;
};

class Health {
  Q_DECLARE_TR_FUNCTIONS(Health)

public:
  static constexpr int memory_samples = 100;  // ten seconds

  // Both must outlive this.
  Health(const FlowHistory& history, const WallStatus& status) : history_(history), status_(status) {}

  void set_limits(std::vector<AlarmLimit> rules) { limits_.set_rules(std::move(rules)); }
  void set_uplinks(const Uplinks& uplinks) { figures_.set_uplinks(uplinks); }
  // After each `stats`, with the alarms that are raised now.
  void step(std::vector<RaisedAlarm> alarms);
  // The server is not connected, or sends nothing: why, and what happens next. The next step ends it.
  void lose_contact(const QString& why);
  // Another time or wall.
  void forget();

  [[nodiscard]] TileHealth of(const TileRow& tile) const;
  [[nodiscard]] const TileCondition& condition(std::size_t tile) const;
  [[nodiscard]] Answer answer() const;
  // Below the answer without a problem, the longest first.
  [[nodiscard]] QStringList summaries() const;
  [[nodiscard]] StateCounts counts() const;
  [[nodiscard]] std::vector<HealthFigure> figures() const;
  [[nodiscard]] const std::vector<RaisedAlarm>& alarms() const { return alarms_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] bool has_contact() const { return contact_; }
  [[nodiscard]] bool playing() const { return contact_ && !status_.stopped(); }
  // Of the newest sample.
  [[nodiscard]] qint64 now_ms() const;
  // Its place in the history.
  [[nodiscard]] std::optional<std::size_t> tile_of_flow(int flow) const;

private:
  struct Sample {
    qint64 lost = 0, received = 0;
    qint64 not_shown = 0, concealed = 0, late = 0;
    bool dark = false;
  };
  struct TileWatch {
    std::array<Sample, memory_samples> ring{};
    Sample now;
    TileCondition condition;
    std::optional<std::array<qint64, 3>> counted;
    qint64 alive = -1;  // the newest sample of each
    qint64 lossy = -memory_samples, slow = -memory_samples, behind = -memory_samples, alarmed = -memory_samples;
  };

  void match_wall();
  void take_flows();
  void take_tile(std::size_t index);
  void take_alarms();
  void judge(TileWatch& watch);
  static void put(TileWatch& watch, qint64 sample, const Sample& what);
  [[nodiscard]] bool recent(qint64 sample) const { return sample_ - sample < memory_samples; }
  void learn();

  const FlowHistory& history_;
  const WallStatus& status_;
  Limits limits_;
  HealthFigures figures_;
  std::vector<RaisedAlarm> alarms_;
  std::vector<TileWatch> tiles_;
  std::vector<std::size_t> tile_of_flow_;
  std::vector<qint64> packets_;
  qint64 sample_ = -1;
  qint64 plays_since_ = -1;
  qint64 warned_ = -memory_samples;
  qint64 last_alarm_ms_ = 0;
  bool contact_ = false;
  QString why_not_;
};

}  // namespace lw
