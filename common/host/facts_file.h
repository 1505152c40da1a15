// The facts about a host in a file, so that a plan can be made for a host that is elsewhere, or not yet bought: the
// output of `wall-probe doctor --json` on that host, or a file written by hand (docs/operations.md).
//
// {"facts": {...}} as host_json writes them; the other members of doctor's report are allowed, and `sources`, which
// gives the source of figures that were not read from a host: an object of texts, whose names are JSON pointers (RFC
// 6901) to members of `facts`. Unknown members are errors: a misspelt fact would be missing from the plan.
#pragma once

#include "common/base/result.h"
#include "common/host/host_facts.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace lw {

// Errors name the file and the member. parse_host_facts is pure. (Fuzzed.)
Result<HostFacts> parse_host_facts(std::string_view json, const std::string& file_name);
Result<HostFacts> load_host_facts(const std::filesystem::path& file);

}  // namespace lw
