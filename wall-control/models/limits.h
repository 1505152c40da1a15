// The limits beyond which a figure is a warning: those of the alarm rules, and for the figures of the health strip
// others without a rule. The figures of a wall's first minutes without faults are usual for it: limits learned from
// them make alarms quieter, never stricter. They say nothing about concealed, missing or late frames, which are
// counted.
#pragma once

#include "wall-control/models/raised_alarm.h"

#include <array>
#include <optional>
#include <vector>

namespace lw {

class Limits {
public:
  static constexpr int learning_seconds = 180;
  static constexpr double learned_margin = 1.5;
  static constexpr double learned_share = 0.95;  // of the seconds; a single spike is not usual

  void set_rules(std::vector<AlarmLimit> rules);
  // A value above it is a warning.
  [[nodiscard]] std::optional<double> of(Quantity quantity) const;
  [[nodiscard]] bool exceeded(Quantity quantity, const std::optional<double>& value) const;
  [[nodiscard]] std::optional<double> learned(Quantity quantity) const;
  // An alarm about what is usual for this wall.
  [[nodiscard]] bool is_quiet(const RaisedAlarm& alarm) const;

  // Once a second while the wall plays without faults: the worst value of that second.
  void learn(Quantity quantity, const std::optional<double>& worst);
  // Another wall.
  void forget() { lessons_ = {}; }

private:
  struct Lesson {
    std::vector<double> seconds;
    std::optional<double> learned;
  };
  std::vector<AlarmLimit> rules_;
  std::array<Lesson, quantity_count> lessons_;
};

}  // namespace lw
