// The subjects that an interleaved sweep measures in turns, so that two builds or hosts are compared under the same
// conditions. One thread.
#pragma once

#include "common/access/credentials.h"
#include "common/base/result.h"
#include "probe/loads/load.h"
#include "probe/sweep/experiment.h"

#include <nlohmann/json.hpp>

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace lw {

// Parses "NAME=PROGRAM" (a path) or "NAME=ADDRESS[,ADDRESS...]". `to`: the hosts of the command line. May be empty.
Result<std::vector<Variant>> parse_variants(const std::vector<std::string>& texts, const std::vector<std::string>& to);

// The output of a wall-probe that measured in a separate process.
struct MeasuredElsewhere {
  nlohmann::json result;
  std::vector<nlohmann::json> intervals;
  std::filesystem::path records;  // a folder; empty: no records
};

// Creates `folder` for its files; remove it when the result has been read. An incomplete result is a result too, as in
// measure().
Result<MeasuredElsewhere> measure_with(const std::filesystem::path& program, const RunSpec& run,
                                       const std::vector<std::string>& to, const CredentialOptions& credentials,
                                       const std::filesystem::path& folder, const std::atomic<bool>& stop);

}  // namespace lw
