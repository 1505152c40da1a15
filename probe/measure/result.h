// The result of a measurement: both sides' ends joined to flows, and the overall figures. docs/probe.md and
// docs/schema/ describe it.
#pragma once

#include "probe/loads/load.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace lw {

struct RunOutcome {
  // RunSide::finish() of both sides; null where one could not be asked any more. Of several servers, with the client's
  // side towards each.
  struct Sides {
    nlohmann::json client, server;
  };
  std::vector<Sides> hosts;
  nlohmann::json intervals = nlohmann::json::array();  // of both sides, as progress() gave them
  bool same_program = false;
  std::string error;  // why it ended early; empty: it did not
  std::string began;  // ISO 8601
  std::string command;
};

// An error where a side's answer is none.
Result<nlohmann::json> make_result(const RunSpec& run, const RunOutcome& outcome);

}  // namespace lw
