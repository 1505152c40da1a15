// A figure as it must be and as the program gives it, and what the computations of truth share.
#pragma once

#include "common/base/units.h"
#include "common/metrics/time_histogram.h"

#include <optional>
#include <string>
#include <vector>

namespace lw::truth {

struct Figure {
  std::string name;
  double truth = 0;
  double measured = 0;
  double allowed = 0;  // largest error
  std::string unit = "µs";

  [[nodiscard]] double error() const { return measured > truth ? measured - truth : truth - measured; }
  // Also false if one of them is not a number.
  [[nodiscard]] bool holds() const { return error() <= allowed; }
};

// Of times: a nanosecond, the resolution of stamps and computations.
inline constexpr double time_error_us = 0.001;

double microseconds(Nanoseconds time);
// Nearest rank; NaN if there are none.
double quantile(std::vector<double> values, double fraction);
double mean(const std::vector<double>& values);
std::vector<double> newest(const std::vector<double>& values, std::size_t count);

class Table {
public:
  void count(const std::string& name, double truth, double measured) { figures.push_back({name, truth, measured, 0}); }
  // Absent on both sides is right. `unit`: of the figure, if it is not a time.
  void time(const std::string& name, double truth_us, std::optional<double> measured_us,
            double allowed_us = time_error_us, const std::string& unit = "µs");
  // Of all times, those that are counted in the bucket in which they belong, less those that are counted too much; and
  // the sum.
  void histogram(const std::string& name, const TimeScale& scale, const std::vector<double>& times_us,
                 const TimeHistogram::Reading& reading);
  std::vector<Figure> figures;
};

}  // namespace lw::truth
