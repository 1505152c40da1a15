#include "tests/simulate/clocks.h"

namespace lw::simulate {

RawTime Clocks::counter_at(Nanoseconds elapsed) const {
  return RawTime{elapsed + Nanoseconds{static_cast<std::int64_t>(static_cast<double>(elapsed.count()) * oscillator_)}};
}

Moment Clocks::now(Nanoseconds later) const {
  const auto at = elapsed() + later;
  const auto local = local_at(at);
  const auto line = kept_.line();
  return {line ? line->at_raw(counter_at(at)) : WallTime{local + ahead_}, LocalTime{local}};
}

std::optional<ClockReading> Clocks::read() const {
  if (random_.once_in(100)) return std::nullopt;
  return ClockReading{counter(), SystemTime{local_at(elapsed()) + ahead_}};
}

SystemTime Clocks::system_at(WallTime time) const {
  const auto at = elapsed() - (timeline_.now().wall - time);
  return SystemTime{local_at(at) + ahead_ - (at < stepped_ ? step_ : Nanoseconds{0})};
}

void Clocks::set_rate(double rate) {
  local_ = local_at(elapsed());
  changed_ = elapsed();
  rate_ = rate;
}

void Clocks::step_system(Nanoseconds by) {
  ahead_ += by;
  stepped_ = elapsed();
  step_ = by;
}

Nanoseconds Clocks::system_error() const {
  return local_at(elapsed()) + ahead_ - timeline_.now().wall.time_since_epoch();
}

}  // namespace lw::simulate
