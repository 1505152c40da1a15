// The source that the window shows: passes on the signals of one source, which can be replaced. Receivers stay
// connected.
#pragma once

#include "wall-control/messages/telemetry_source.h"

namespace lw {

class TelemetrySwitch : public TelemetrySource {
  Q_OBJECT

public:
  // Sources must outlive this object.
  explicit TelemetrySwitch(TelemetrySource& source, QObject* parent = nullptr);

  // Announces that what follows comes from another source.
  void use(TelemetrySource& source);
  [[nodiscard]] bool uses(const TelemetrySource& source) const { return source_ == &source; }

private:
  void join(TelemetrySource& source);

  TelemetrySource* source_ = nullptr;
};

}  // namespace lw
