// Impairment that changes while time goes on: a TOML file of steps, each from its time on with the settings it names;
// the others are those of the command line.
#pragma once

#include "common/base/result.h"
#include "probe/impair/impairment.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace lw {

struct ImpairStep {
  std::chrono::milliseconds at{0};  // since the relay was started
  Impairment impairment;
};

// In the order of time. Errors say "FILE:LINE: ...". (Fuzzed.)
Result<std::vector<ImpairStep>> parse_impair_script(std::string_view toml, const std::string& name,
                                                    const Impairment& base);
Result<std::vector<ImpairStep>> load_impair_script(const std::filesystem::path& file, const Impairment& base);

std::optional<Jitter> parse_jitter(std::string_view name);

}  // namespace lw
