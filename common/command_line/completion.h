// A program's command line as a completion script for a shell, from the tables of its --help: subcommands, options, the
// words of a choice, files and directories.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace lw {

// `app` has its name. Any thread.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);

}  // namespace lw
