// What an interleaved sweep measures in turns, so that two builds or two hosts are compared under the same conditions.
// One thread.
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

// Of "NAME=PROGRAM" (a path) or "NAME=ADDRESS[,ADDRESS...]"; `to`: the hosts of the command line. None of none.
Result<std::vector<Variant>> parse_variants(const std::vector<std::string>& texts, const std::vector<std::string>& to);

// What a wall-probe measured in a process of its own.
struct MeasuredElsewhere {
  nlohmann::json result;
  std::vector<nlohmann::json> intervals;
  std::filesystem::path records;  // a folder; empty: it wrote none
};

// `folder` is made for its files, and may be removed when the result has been taken. A result that is not complete is
// a result, like that of measure().
Result<MeasuredElsewhere> measure_with(const std::filesystem::path& program, const RunSpec& run,
                                       const std::vector<std::string>& to, const CredentialOptions& credentials,
                                       const std::filesystem::path& folder, const std::atomic<bool>& stop);

}  // namespace lw
