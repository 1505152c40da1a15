// What people read about a program's options: groups, names, values, descriptions. --help, the manual pages, the
// completions and the messages about wrong usage agree because all of them ask here.
//
// CLI11's option_text() names an option's value, and its name decides what a shell completes: FILE files, DIR or STORE
// directories. "DIR[,DIR...]" is a list. group("") hides an option. Any thread.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace lw {

// The last group of every --help: --help, --version, --json and the like.
inline constexpr const char* general_options = "General";

struct OptionGroup {
  std::string title;
  std::vector<const CLI::Option*> options;
};

// In the order in which their first options were added; the general one is last. Without positional arguments.
std::vector<OptionGroup> groups_of(const CLI::App& app);
std::vector<const CLI::Option*> options_of(const CLI::App& app);  // of all groups
std::vector<const CLI::Option*> positionals_of(const CLI::App& app);
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);
std::vector<std::string> subcommand_names(const CLI::App& app);
// The innermost subcommand on the command line that was read, or the program.
const CLI::App& used_command(const CLI::App& app);
// As it is typed: "wall-probe run".
std::string command_of(const CLI::App& app);

// "-c, --to", or "FILE" for a positional argument.
std::string names_of(const CLI::Option& option);
// The same as words: "-c" and "--to".
std::vector<std::string> words_of(const CLI::Option& option);
std::vector<std::string> option_words(const CLI::App& app);  // of all its options
// "FILE"; empty for a flag.
std::string value_of(const CLI::Option& option);
// The words that the value can be; empty if it can be others.
std::vector<std::string> choices_of(const CLI::Option& option);
// With limits and default: "Number of packets (1 to 100; default: 10)".
std::string description_of(const CLI::Option& option);
// The first paragraph of its description: what it does, for a list.
std::string purpose_of(const CLI::App& app);
// What the command needs at least: "wall-client --wall FILE --node NAME [OPTIONS]".
std::vector<std::string> usage_of(const CLI::App& app);

enum class ValueKind { none, text, choice, file, folder };
ValueKind kind_of(const CLI::Option& option);
// Several values, separated by commas.
bool takes_list(const CLI::Option& option);

}  // namespace lw
