// What all charts show over their data: incidents, limits, and the moment under the pointer. The window
// sets the first two. GUI thread.
#pragma once

#include "wall-control/models/quantity.h"
#include "wall-control/ui/state_shape.h"

#include <QObject>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace lw {

struct Incident {
  State state = State::warn;
  qint64 begin_ms = 0;           // since 1970
  std::optional<qint64> end_ms;  // none: it lasts
  QString text;
  bool operator==(const Incident&) const = default;
};

class PlotNotes : public QObject {
  Q_OBJECT

public:
  using QObject::QObject;

  [[nodiscard]] const std::vector<Incident>& incidents() const { return incidents_; }
  void set_incidents(std::vector<Incident> incidents);
  // In the quantity's own unit.
  [[nodiscard]] std::optional<double> limit(Quantity quantity) const;
  void set_limits(std::map<Quantity, double> limits);
  // A sample number; none: the pointer is in no chart.
  [[nodiscard]] std::optional<qint64> pointed() const { return pointed_; }
  void point_to(std::optional<qint64> sample);

signals:
  void changed();
  void pointed_changed();

private:
  std::vector<Incident> incidents_;
  std::map<Quantity, double> limits_;
  std::optional<qint64> pointed_;
};

}  // namespace lw
