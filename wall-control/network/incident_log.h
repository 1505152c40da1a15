// When the wall had problems, for the charts: each from its beginning to its end. Memory is bounded: the oldest go
// first. Draws nothing.
#pragma once

#include "wall-control/models/problems.h"
#include "wall-control/plots/plot_notes.h"

#include <map>
#include <tuple>
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
  // A place may have problems of several kinds, at different times.
  using Key = std::tuple<Problem::Kind, Problem::Place, QString, Quantity>;
  [[nodiscard]] static Key key_of(const Problem& problem);

  std::vector<Incident> incidents_;
  std::map<Key, std::size_t> open_;  // places in incidents_
};

}  // namespace lw
