#include "wall-control/messages/telemetry_switch.h"

namespace lw {

TelemetrySwitch::TelemetrySwitch(TelemetrySource& source, QObject* parent) : TelemetrySource(parent) { join(source); }

void TelemetrySwitch::use(TelemetrySource& source) {
  if (uses(source)) return;
  source_->disconnect(this);
  join(source);
  emit began();
}

void TelemetrySwitch::join(TelemetrySource& source) {
  source_ = &source;
  const auto pass_on = [&](auto signal) { connect(&source, signal, this, signal); };
  pass_on(&TelemetrySource::began);
  pass_on(&TelemetrySource::ready);
  pass_on(&TelemetrySource::library);
  pass_on(&TelemetrySource::play_state);
  pass_on(&TelemetrySource::stats);
  pass_on(&TelemetrySource::happened);
  pass_on(&TelemetrySource::caught_up);
}

}  // namespace lw
