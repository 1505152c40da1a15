#include "wall-control/plots/plot_notes.h"

namespace lw {

void PlotNotes::set_incidents(std::vector<Incident> incidents) {
  if (incidents == incidents_) return;
  incidents_ = std::move(incidents);
  emit changed();
}

std::optional<double> PlotNotes::limit(Quantity quantity) const {
  const auto found = limits_.find(quantity);
  return found == limits_.end() ? std::nullopt : std::optional(found->second);
}

void PlotNotes::set_limits(std::map<Quantity, double> limits) {
  if (limits == limits_) return;
  limits_ = std::move(limits);
  emit changed();
}

void PlotNotes::point_to(std::optional<qint64> sample) {
  if (sample == pointed_) return;
  pointed_ = sample;
  emit pointed_changed();
}

}  // namespace lw
