#include "wall-control/network/incident_log.h"

#include <algorithm>

namespace lw {

void IncidentLog::take(const std::vector<Problem>& problems, qint64 now_ms) {
  std::map<QString, std::size_t> still;
  for (const auto& problem : problems) {
    const auto known = open_.find(problem.name);
    if (known == open_.end()) {
      still[problem.name] = incidents_.size();
      incidents_.push_back({problem.state, problem.since_ms > 0 ? problem.since_ms : now_ms, {}, problem.sentence});
      continue;
    }
    still.insert(*known);
    auto& incident = incidents_[known->second];
    if (problem.state == State::crit) incident.state = State::crit;
  }
  for (const auto& [name, place] : open_)
    if (!still.contains(name)) incidents_[place].end_ms = now_ms;
  open_ = std::move(still);
  if (incidents_.size() <= incidents_max) return;
  const auto surplus = incidents_.size() - incidents_max;
  incidents_.erase(incidents_.begin(), incidents_.begin() + static_cast<std::ptrdiff_t>(surplus));
  std::erase_if(open_, [&](const auto& open) { return open.second < surplus; });
  for (auto& open : open_) open.second -= surplus;
}

void IncidentLog::forget() {
  incidents_.clear();
  open_.clear();
}

}  // namespace lw
