// The five figures of the health strip: value, limit, what it is about, and the last minute. Draws nothing.
#pragma once

#include "wall-control/models/figure_text.h"
#include "wall-control/models/flow_history.h"
#include "wall-control/models/limits.h"
#include "wall-control/models/uplinks.h"
#include "wall-control/ui/state_shape.h"

#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace lw {

struct HealthFigure {
  Quantity quantity = Quantity::throughput;
  QString label, short_label;
  std::optional<figure_text::Text> value;  // empty: not measured
  std::optional<double> number, limit;     // in the quantity's own unit
  State state = State::ok;                 // ok, warn or crit
  QStringList contexts;                    // about it, the longest first
  std::vector<float> minute;               // the last samples, the newest last; gaps are not a number
};

// What the strip needs to know of the tiles.
struct TileFaults {
  qint64 concealed = 0, not_shown = 0, late = 0;  // in the last ten seconds
  QString furthest_behind;                        // "tile 1,2"; empty if none is beyond the limit
};

class HealthFigures {
  Q_DECLARE_TR_FUNCTIONS(HealthFigures)

public:
  static constexpr std::size_t shown = 5;
  static constexpr int line_samples = 600;  // a minute

  void set_uplinks(const Uplinks& uplinks) { uplinks_ = uplinks; }
  // After each `stats`.
  void step(const FlowHistory& history);
  void forget();
  // The greatest of all flows, or tiles, in the newest sample.
  [[nodiscard]] std::optional<double> worst(Quantity quantity) const;
  [[nodiscard]] std::vector<HealthFigure> all(const FlowHistory& history, const Limits& limits,
                                              const TileFaults& faults) const;

private:
  struct Line {
    std::array<float, line_samples> ring{};
    int known = 0;
    std::optional<double> worst;
  };
  struct Minute {
    double lost = 0, recovered = 0;
  };
  void put(std::size_t figure, const std::optional<double>& value, const std::optional<double>& worst);
  [[nodiscard]] std::vector<float> minute_of(std::size_t figure) const;
  [[nodiscard]] std::optional<double> mean_of_second(std::size_t figure) const;
  [[nodiscard]] QStringList about_throughput(const std::optional<double>& gbit_per_s) const;
  [[nodiscard]] QStringList about_loss() const;

  Uplinks uplinks_;
  // Those shown, and packets a second that were recovered and received.
  static constexpr std::size_t recovered = shown, received = shown + 1;
  std::array<Line, shown + 2> lines_;
  qint64 steps_ = 0;
  std::array<Minute, 60> hour_{};
  std::optional<qint64> packets_;
};

}  // namespace lw
