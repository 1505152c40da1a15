// The result of one run, as described in docs/schema/result.schema.json. Reading is pure: any bytes are a result or an
// error that names the member. (Fuzzed.)
#pragma once

#include "common/base/result.h"
#include "probe/results/axis_value.h"

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

using NamedFigures = std::map<std::string, double>;  // names contain the unit; a figure that was not measured is absent

struct ResultInterval {
  double begin_s = 0, end_s = 0;
  NamedFigures figures;
};

// What the thread of a flow did for some time.
struct ResultStage {
  unsigned burst = 0;
  std::string stage;
  double begin_s = 0, end_s = 0;
};

struct ResultFlow {
  unsigned flow = 0;
  std::string load, direction;
  NamedFigures figures;
  std::vector<ResultInterval> intervals;
  std::vector<ResultStage> timeline;  // of a traced load of bursts
};

// Why a run's figures cannot be trusted.
struct ResultMark {
  std::string host, what, note;
  std::optional<double> at_s;
};

// Shares of the run.
struct CpuShares {
  unsigned cpu = 0;
  double user = 0, system = 0, irq = 0, softirq = 0, iowait = 0, steal = 0, idle = 0;
};

struct ResultHost {
  std::string role;  // "client", "server"
  std::string name;
  std::shared_ptr<const nlohmann::json> facts;  // never null
  std::vector<CpuShares> cpus;
};

struct ProbeResult {
  std::string file;
  std::string experiment;  // empty: a single run
  unsigned run = 0, repetition = 0;
  Point point;
  std::string began;
  std::optional<double> duration_s, warm_up_s;
  bool complete = false;
  std::string error;  // why it is not complete
  std::vector<ResultMark> marks;
  double calls_missing = 0;  // in the timelines
  std::string command, program;
  nlohmann::json load;
  NamedFigures figures;
  std::vector<ResultFlow> flows;
  std::vector<ResultHost> hosts;

  // Whether its figures count: it is complete, and nothing happened that makes them doubtful.
  [[nodiscard]] bool counts() const { return complete && marks.empty(); }
};

inline constexpr std::string_view result_schema = "lambdawall-result-1";

Result<ProbeResult> parse_result(std::string_view json, const std::string& file);

// What identifies a machine for a measurement.
struct MachineIdentity {
  std::string role, name, kernel, cpu_model;
  auto operator<=>(const MachineIdentity&) const = default;
};
MachineIdentity identity_of(const ResultHost& host);

}  // namespace lw
