// When the wall had problems, for the charts: each from its beginning to its end. Memory is bounded: the oldest go
// first. Draws nothing.
#pragma once

#include "wall-control/models/problems.h"
#include "wall-control/plots/plot_notes.h"

#include <map>
#include <vector>

namespace lw {

class IncidentLog {
public:
  static constexpr std::size_t incidents_max = 200;

  // The problems of this moment.
  void take(const std::vector<Problem>& problems, qint64 now_ms);
  void forget();
  [[nodiscard]] const std::vector<Incident>& all() const { return incidents_; }

private:
  std::vector<Incident> incidents_;
  std::map<QString, std::size_t> open_;  // by the problem's name: its place
};

}  // namespace lw
