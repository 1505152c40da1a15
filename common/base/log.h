// Logging: spdlog to stderr, by level; for systemd's journal by its priorities. Never on the data path; what happens
// there is counted (common/metrics).
#pragma once

#include <string>

namespace lw {

// The command-line words for levels, for help texts and checks.
inline constexpr const char* log_levels[] = {"error", "warning", "info", "debug"};

// Call once, first thing in main. `level` is one of log_levels.
void start_logging(const std::string& program, const std::string& level);

}  // namespace lw
