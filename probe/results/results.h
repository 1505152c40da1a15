// The results of a sweep, or of single runs: a directory or one file of them, read and put in order.
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
  ExperimentRecord experiment;    // its axes have every value that a run has, also where there is none
  std::vector<ProbeResult> runs;  // in the order of the axes' values, then of repetitions
};

// A directory with runs/*.json, or one of *.json results, or one result file.
Result<Results> load_results(const std::filesystem::path& place);

// The runs of one point of the sweep.
struct PointRuns {
  Point point;
  std::vector<const ProbeResult*> all, counting;
};
std::vector<PointRuns> points_of(const Results& results);

// Every repetition has each point at most once, and was over before the next one began: what changes with time falls on
// the points of a repetition alike. `wall-probe sweep` runs in this order.
bool ran_in_blocks(const Results& results);

// Of the runs that count, those of the figure; unsorted.
std::vector<double> values_of(const PointRuns& runs, const std::string& figure);

// The counting run whose figure is the median (the lower of two); nullptr where none has it.
const ProbeResult* median_run(const PointRuns& runs, const std::string& figure);

}  // namespace lw
