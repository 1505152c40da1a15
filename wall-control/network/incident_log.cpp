#include "wall-control/network/incident_log.h"

#include <algorithm>

namespace lw {

// Of what is measured, each quantity has its own limit; the figure that shows another problem may change with it.
IncidentLog::Key IncidentLog::key_of(const Problem& problem) {
  const bool measured = problem.kind == Problem::Kind::measured;
  return {problem.kind, problem.place, problem.name, measured ? problem.quantity : Quantity{}};
}

void IncidentLog::take(const std::vector<Problem>& problems, qint64 now_ms) {
  std::map<Key, std::size_t> still;
  for (const auto& problem : problems) {
    const auto known = open_.find(key_of(problem));
    if (known == open_.end()) {
      still[key_of(problem)] = incidents_.size();
      incidents_.push_back({problem.state, problem.since_ms > 0 ? problem.since_ms : now_ms, {}, problem.sentence});
      continue;
    }
    still.insert(*known);
    auto& incident = incidents_[known->second];
    if (incident.state == State::crit || problem.state != State::crit) continue;
    incident.state = State::crit;
    incident.text = problem.sentence;
  }
  for (const auto& [key, place] : open_)
    if (!still.contains(key)) incidents_[place].end_ms = now_ms;
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
