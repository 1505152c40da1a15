// A sweep file (TOML): what an experiment measures, over which axes, how often, and how its report draws it.
// docs/probe.md describes it, experiments/ has those of the papers.
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

// A point of an axis: its name (a number or a text), and what it sets.
struct AxisPoint {
  nlohmann::json name;
  std::map<std::string, nlohmann::json> settings;  // by key: "flows", "NAME.flows" of a named load, "path.delay_ms"
};
struct Axis {
  std::string key, label;
  std::vector<AxisPoint> values;
};

// What an experiment cannot do without; 0 and false: nothing.
struct Needs {
  unsigned cpus = 0, numa_nodes = 0, directories = 0;
  bool peer = false;  // another host
  bool root = false;  // where it is measured: on this host, or where the other one serves
  std::string text;   // what else, in words
};

// One of what an interleaved sweep measures in turns: another build of wall-probe, or other hosts.
struct Variant {
  std::string name;
  std::filesystem::path program;  // measures in a process of its own; empty: this one measures
  std::vector<std::string> to;    // serving hosts; empty: those of the command line
};

struct Experiment {
  std::string name, title, saw;
  std::vector<std::string> rows;
  unsigned repetitions = 6;        // the fewest with which 95 % can be said of a median
  double capacity_gbit_per_s = 0;  // of UDP payload, what "offered_percent" of a load is a share of; 0: not said
  Needs needs;
  nlohmann::json run;                 // duration_s, warm_up_s, interval_s
  std::vector<nlohmann::json> loads;  // as parse_run takes them; the first is the one that is measured
  nlohmann::json path;                // of a relay in the way (impair's options); null: none
  std::vector<Axis> axes;
  nlohmann::json plots = nlohmann::json::array();
  std::vector<Variant> variants;  // none, or at least two
};

// What a host has, for axes that go over all of it.
struct HostChoices {
  std::vector<unsigned> cpus;
  std::vector<std::string> congestion_controls;
};
HostChoices host_choices();

// `short_form`: with the values and times that the file has for a quick look. (Fuzzed.)
Result<Experiment> parse_experiment(std::string_view toml, const std::string& name, const HostChoices& host,
                                    bool short_form);
Result<Experiment> load_experiment(const std::filesystem::path& file, bool short_form);

// "KEY=VALUE": sets it for all runs; an axis of that key has only this value then. VALUE is JSON, else a text.
Result<void> override_setting(Experiment& experiment, const std::string& setting);

// What a key sets of a run's loads: "NAME.flows" of the load with that name, "flows" of the first.
nlohmann::json& setting_of(std::vector<nlohmann::json>& loads, const std::string& key);

}  // namespace lw
