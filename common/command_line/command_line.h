// What every program's main does with its command line: --help, --version, manual pages, completions, and one line on
// stderr about wrong usage.
#pragma once

#include "common/command_line/help.h"
#include "common/command_line/option_text.h"
#include "common/command_line/values.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace lw {

// Reads the command line into the variables of `app`. Returns the exit status if the program is to end now: 0 after
// --help and the like, 1 if a manual page cannot be written, 2 after wrong usage. Adds --version, and what packaging
// calls and --help does not list: --man DIR writes the manual pages (man_page.h) into DIR, --completion bash or zsh
// prints the shell's script (completion.h). Main thread.
std::optional<int> parse_command_line(CLI::App& app, const std::string& program, int argc, const char* const* argv);

// --log, of the programs that run as services.
void add_log_level(CLI::App& app, std::string& level);

// Options added to `app` after this belong to the group of --help with this title.
void begin_group(CLI::App& app, const std::string& title);

}  // namespace lw
