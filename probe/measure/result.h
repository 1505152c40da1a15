// The result of a measurement: the ends of both sides joined into flows, and the overall figures. docs/probe.md and
// docs/schema/ describe it.
#pragma once

#include "probe/loads/call_record.h"
#include "probe/loads/load.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace lw {

struct RunOutcome {
  // RunSide::finish() of both sides; null if a side could no longer be reached. With several servers, each with the
  // client's side towards it.
  struct Sides {
    nlohmann::json client, server;
  };
  std::vector<Sides> hosts;
  nlohmann::json intervals = nlohmann::json::array();  // of both sides, from progress()
  std::vector<CallRecord> calls;                       // of a traced load of bursts
  std::uint64_t calls_missing = 0;                     // records of these that were dropped
  bool same_program = false;
  std::string error;  // why it ended early; empty: it did not
  std::string began;  // ISO 8601
  std::string command;
};

// An error if a side's answer is invalid.
Result<nlohmann::json> make_result(const RunSpec& run, const RunOutcome& outcome);

}  // namespace lw
