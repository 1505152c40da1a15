// The runs of an experiment in order: every repetition has all points once, shuffled, so that changes over time (a warm
// machine, a busy hour) affect all points alike. The variants of a point follow each other, also in random order. A
// relay in the path has another seed in each repetition, the same for all points of the repetition.
#pragma once

#include "probe/impair/relay.h"
#include "probe/loads/load.h"
#include "probe/sweep/experiment.h"

#include <optional>

namespace lw {

struct PlannedRun {
  unsigned number = 0;      // from 1 on, in the order of the sweep
  unsigned repetition = 0;  // from 1 on
  nlohmann::json point;     // axis key -> name of its value
  RunSpec run;
  std::optional<RelaySettings> path;   // for the first load; its target is filled in later
  nlohmann::json path_settings;        // as in the file, with the seed of this repetition; null: no relay
  std::optional<std::size_t> variant;  // index in the experiment
};

// Deterministic for a seed. An error if a point does not make a valid run.
Result<std::vector<PlannedRun>> plan_runs(const Experiment& experiment, unsigned seed);

// experiment.json of a results directory.
nlohmann::json experiment_json(const Experiment& experiment, unsigned seed, const std::string& file, std::size_t runs);

// What this host lacks for the experiment, as texts; empty: nothing. `peer`: another host takes part.
std::vector<std::string> missing(const Experiment& experiment, bool peer);

// A part for a file name: "flows=4,pinning=own-core".
std::string file_part(const nlohmann::json& point);

}  // namespace lw
