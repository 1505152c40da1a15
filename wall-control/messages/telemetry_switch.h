// The source that the window shows: passes on the signals of one source, which can be replaced. Whoever is joined to
// this stays joined.
#pragma once

#include "wall-control/messages/telemetry_source.h"

namespace lw {

class TelemetrySwitch : public TelemetrySource {
  Q_OBJECT

public:
  // Sources must outlive this.
  explicit TelemetrySwitch(TelemetrySource& source, QObject* parent = nullptr);

  // What comes from another source began anew.
  void use(TelemetrySource& source);
  [[nodiscard]] bool uses(const TelemetrySource& source) const { return source_ == &source; }

private:
  void join(TelemetrySource& source);

  TelemetrySource* source_ = nullptr;
};

}  // namespace lw
