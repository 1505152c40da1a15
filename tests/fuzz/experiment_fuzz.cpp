// Any text is an experiment, or an error that names its line; and an experiment makes runs, or an error.
#include "probe/sweep/plan.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (text.find("source") != std::string_view::npos) return 0;  // would read the disk
  auto experiment = lw::parse_experiment(text, "sweep", {{0, 1}, {"cubic"}}, size % 2 == 0);
  if (!experiment) {
    if (!experiment.error().what.starts_with("sweep:")) std::abort();
    return 0;
  }
  std::size_t points = 1;
  for (const auto& axis : experiment->axes) {
    if (axis.values.empty()) std::abort();
    points *= axis.values.size();
    if (points > 16) return 0;
  }
  experiment->repetitions = 1;
  const auto runs = lw::plan_runs(*experiment, 1);
  if (runs && runs->size() > points) std::abort();
  lw::experiment_json(*experiment, 1, "sweep", runs ? runs->size() : 0);
  return 0;
}
