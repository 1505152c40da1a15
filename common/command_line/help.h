// The text of --help: usage, description, options in groups, and examples, within the 80 columns of a small terminal.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace lw {

struct Example {
  std::string purpose;  // "import a film"
  std::string command;
};

// Shown at the end of --help, and by the manual page. A program with subcommands calls this after it has added them.
void set_examples(CLI::App& app, const std::vector<Example>& examples);

// For `app`, which has its name, or one of its subcommands. Any thread.
std::string help_text(const CLI::App& app);

}  // namespace lw
