// Logging: spdlog to stderr, by level; for systemd's journal by its priorities. Never on the data path; what happens
// there is counted (common/metrics).
#pragma once

#include <spdlog/formatter.h>

#include <memory>
#include <string>

namespace lw {

// The command-line words for levels, for help texts and checks.
inline constexpr const char* log_levels[] = {"error", "warning", "info", "debug"};

// Call once, first thing in main. `level` is one of log_levels.
void start_logging(const std::string& program, const std::string& level);

// How lines look; messages are made printable (common/base/printable), at most log_text_bytes_max of each.
std::unique_ptr<spdlog::formatter> log_formatter(bool for_journal);

}  // namespace lw
