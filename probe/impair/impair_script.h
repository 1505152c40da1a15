// Impairment that changes over time: a TOML file of steps, each with a time and the settings that change; others keep
// the values of the command line.
#pragma once

#include "common/base/result.h"
#include "probe/impair/impairment.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace lw {

struct ImpairStep {
  std::chrono::milliseconds at{0};  // since the start of the relay
  Impairment impairment;
};

// Sorted by time. Errors say "FILE:LINE: ...". (Fuzzed.)
Result<std::vector<ImpairStep>> parse_impair_script(std::string_view toml, const std::string& name,
                                                    const Impairment& base);
Result<std::vector<ImpairStep>> load_impair_script(const std::filesystem::path& file, const Impairment& base);

std::optional<Jitter> parse_jitter(std::string_view name);

}  // namespace lw
