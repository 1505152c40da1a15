// Logging: spdlog to stderr, by level; with priorities for systemd's journal. Never on the data path, where events are
// counted instead (common/metrics).
#pragma once

#include <spdlog/formatter.h>

#include <memory>
#include <string>

namespace lw {

// The levels as words for the command line, help texts and checks.
inline constexpr const char* log_levels[] = {"error", "warning", "info", "debug"};

// Call once, at the start of main. `level` is one of log_levels.
void start_logging(const std::string& program, const std::string& level);

// The form of lines; messages are made printable (common/base/printable) and cut to log_text_bytes_max.
std::unique_ptr<spdlog::formatter> log_formatter(bool for_journal);

}  // namespace lw
