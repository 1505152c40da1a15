// The results of a sweep or of single runs, from a directory or one file, sorted.
#pragma once

#include "probe/results/experiment_record.h"
#include "probe/results/probe_result.h"

#include <cstddef>
#include <filesystem>

namespace lw {

inline constexpr std::size_t result_bytes_max = std::size_t{256} << 20U;  // of a file

struct Results {
  std::filesystem::path place;
  bool is_experiment = false;     // there is an experiment.json
  ExperimentRecord experiment;    // its axes have every value of any run, even without experiment.json
  std::vector<ProbeResult> runs;  // sorted by the axes' values, then by repetition
};

// `place`: a directory with runs/*.json, or with *.json results, or a result file.
Result<Results> load_results(const std::filesystem::path& place);

// The runs of one point of the sweep.
struct PointRuns {
  Point point;
  std::vector<const ProbeResult*> all, counting;
};
std::vector<PointRuns> points_of(const Results& results);

// Whether every repetition has each point at most once and ended before the next one began: changes over time then
// affect all points of a repetition alike. `wall-probe sweep` runs in this order.
bool ran_in_blocks(const Results& results);

// The figure's values in the runs that count; unsorted.
std::vector<double> values_of(const PointRuns& runs, const std::string& figure);

// The run that counts whose figure is the median (the lower of two); nullptr if there is none.
const ProbeResult* median_run(const PointRuns& runs, const std::string& figure);

}  // namespace lw
