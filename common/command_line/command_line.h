// What every program's main does with its command line: --help, --version, the manual pages, and one line on stderr
// about wrong usage.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace lw {

// Reads the command line into the variables of `app`. Returns the exit status if the program is to end now: 0 after
// --help and the like, 1 if a manual page cannot be written, 2 after wrong usage. Adds --version, and --man DIR, which
// packaging calls and --help does not list: it writes the manual pages (man_page.h) into DIR. Main thread.
std::optional<int> parse_command_line(CLI::App& app, const std::string& program, int argc, const char* const* argv);

}  // namespace lw
