// A sweep file (TOML): what an experiment measures, over which axes, how often, and how its report draws it.
// docs/probe.md describes it; experiments/ has those of the papers.
#pragma once

#include "common/base/result.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// A point of an axis: its name (a number or a text) and its settings.
struct AxisPoint {
  nlohmann::json name;
  std::map<std::string, nlohmann::json> settings;  // by key: "flows", "NAME.flows" of a named load, "path.delay_ms"
};
struct Axis {
  std::string key, label;
  std::vector<AxisPoint> values;
};

// What an experiment requires; 0 and false: nothing.
struct Needs {
  unsigned cpus = 0, numa_nodes = 0, directories = 0;
  bool peer = false;  // another host
  bool root = false;  // on the measured side: this host, or the serving one
  std::string text;   // other requirements, as a text
};

// One of the subjects that an interleaved sweep measures in turns: another build of wall-probe, or other hosts.
struct Variant {
  std::string name;
  std::filesystem::path program;  // measures in a separate process; empty: this program measures
  std::vector<std::string> to;    // serving hosts; empty: those of the command line
};

struct Experiment {
  std::string name, title, saw;
  std::vector<std::string> rows;
  unsigned repetitions = 6;        // the fewest that allow a 95 % interval of a median
  double capacity_gbit_per_s = 0;  // UDP payload, to which "offered_percent" of a load refers; 0: none
  Needs needs;
  nlohmann::json run;                 // duration_s, warm_up_s, interval_s
  std::vector<nlohmann::json> loads;  // in the form of parse_run; the first is the measured one
  nlohmann::json path;                // a relay in the path (options of impair); null: none
  std::vector<Axis> axes;
  nlohmann::json plots = nlohmann::json::array();
  std::vector<Variant> variants;  // none, or at least two
};

// The choices of a host, for axes that cover all of them.
struct HostChoices {
  std::vector<unsigned> cpus;
  std::vector<std::string> congestion_controls;
};
HostChoices host_choices();

// `short_form`: with the file's values and times for a quick look. (Fuzzed.)
Result<Experiment> parse_experiment(std::string_view toml, const std::string& name, const HostChoices& host,
                                    bool short_form);
Result<Experiment> load_experiment(const std::filesystem::path& file, bool short_form);

// "KEY=VALUE": sets it for all runs; an axis with that key then has only this value. VALUE is JSON, or else a text.
Result<void> override_setting(Experiment& experiment, const std::string& setting);

// The member of a run's loads that a key means: "NAME.flows" of the load with that name, "flows" of the first.
nlohmann::json& setting_of(std::vector<nlohmann::json>& loads, const std::string& key);

}  // namespace lw
