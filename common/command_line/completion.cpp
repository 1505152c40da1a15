#include "common/command_line/completion.h"

#include "common/command_line/option_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace lw {

namespace {

std::string function_name(const CLI::App& app) {
  auto name = "_" + app.get_name();
  std::ranges::replace(name, '-', '_');
  return name;
}

// After these words the shell completes the option's value.
std::string bash_values(const CLI::Option& option) {
  switch (kind_of(option)) {
    case ValueKind::choice:
      return fmt::format("words='{}'", fmt::join(choices_of(option), " "));
    case ValueKind::file:
      return "files=-f";
    case ValueKind::folder:
      return "files=-d";
    case ValueKind::none:
    case ValueKind::text:
      break;
  }
  return "return";  // nothing is known about it
}

// The files of the first positional argument that is one.
std::string bash_arguments(const CLI::App& command) {
  for (const auto* argument : positionals_of(command)) {
    const auto kind = kind_of(*argument);
    if (kind == ValueKind::file || kind == ValueKind::folder) return bash_values(*argument);
  }
  return {};
}

std::string bash_command(const CLI::App& command, bool is_program) {
  std::string text = fmt::format("    {})\n      case $before in\n", is_program ? "''" : command.get_name());
  for (const auto* option : options_of(command))
    if (kind_of(*option) != ValueKind::none)
      text += fmt::format("        {}) {} ;;\n", fmt::join(words_of(*option), "|"), bash_values(*option));
  const auto subcommands = subcommand_names(command);
  const auto otherwise =
      subcommands.empty() ? bash_arguments(command) : fmt::format("words='{}'", fmt::join(subcommands, " "));
  return text + fmt::format("        *) argument=yes {} ;;\n      esac\n      options='{}'\n      ;;\n", otherwise,
                            fmt::join(option_words(command), " "));
}

// For a text in single quotes inside an argument of zsh's _arguments.
std::string zsh_quoted(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') quoted += '\\';
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c == '\n' ? ' ' : c;
  }
  return quoted;
}

// The first sentence, for a line of a menu.
std::string first_sentence(const std::string& text) {
  return text.substr(0, std::min({text.find(". "), text.find("; "), text.find(" (default"), text.find('\n')}));
}

// In a list, what stands before the last comma is complete.
std::string zsh_files(const CLI::Option& option, std::string_view files) {
  return takes_list(option) ? fmt::format("{{compset -P \"*,\"; {}}}", files) : std::string(files);
}

std::string zsh_values(const CLI::Option& option) {
  switch (kind_of(option)) {
    case ValueKind::choice:
      return fmt::format("({})", fmt::join(choices_of(option), " "));
    case ValueKind::file:
      return zsh_files(option, "_files");
    case ValueKind::folder:
      return zsh_files(option, "_files -/");
    case ValueKind::none:
    case ValueKind::text:
      break;
  }
  return " ";
}

std::string zsh_option(const CLI::Option& option) {
  const auto words = words_of(option);
  std::string value;
  if (kind_of(option) != ValueKind::none)
    value = fmt::format("{}{}:{}", option.get_items_expected_min() == 0 ? "::" : ":", zsh_quoted(value_of(option)),
                        zsh_values(option));
  const auto text = fmt::format("[{}]{}", zsh_quoted(first_sentence(option.get_description())), value);
  const bool repeats = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (repeats || words.size() == 1) {
    std::vector<std::string> specs;
    for (const auto& word : words) specs.push_back(fmt::format("'{}{}{}'", repeats ? "*" : "", word, text));
    return fmt::format("{}", fmt::join(specs, " "));
  }
  return fmt::format("'({})'{{{}}}'{}'", fmt::join(words, " "), fmt::join(words, ","), text);
}

std::string zsh_arguments(const CLI::App& command) {
  std::string text;
  for (const auto* option : options_of(command)) text += " \\\n    " + zsh_option(*option);
  for (const auto* argument : positionals_of(command))
    text += fmt::format(" \\\n    '{}:{}:{}'", argument->get_required() ? "" : ":", zsh_quoted(value_of(*argument)),
                        zsh_values(*argument));
  return text;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  const auto names = subcommand_names(app);
  std::string commands = bash_command(app, true);
  for (const auto* command : subcommands_of(app)) commands += bash_command(*command, false);
  const auto name = function_name(app);
  const auto chosen = names.empty() ? ""
                                    : fmt::format(
                                          "  local i\n"
                                          "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
                                          "    case ${{COMP_WORDS[i]}} in\n"
                                          "      {}) command=${{COMP_WORDS[i]}}; break ;;\n"
                                          "    esac\n"
                                          "  done\n",
                                          fmt::join(names, "|"));
  // Bash cuts --option=value and SERVER=DIR at the equals sign.
  return fmt::format(
      "# bash completion for {0}\n"
      "{1}()\n"
      "{{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} at=$((COMP_CWORD - 1)) command= options= words= files= "
      "argument=\n"
      "  COMPREPLY=()\n"
      "  if [[ $current == = ]]; then current=; elif [[ ${{COMP_WORDS[at]}} == = ]]; then ((--at)); fi\n"
      "  if [[ ${{COMP_WORDS[at + 1]}} == = && ${{COMP_WORDS[at]}} != -* ]]; then ((--at)); fi\n"
      "  local before=${{COMP_WORDS[at]}}\n"
      "{2}"
      "  case $command in\n"
      "{3}"
      "  esac\n"
      "  if [[ -n $argument && ( $current == -* || -z $words$files ) ]]; then words=$options files=; fi\n"
      "  if [[ -n $files ]]; then\n"
      "    local last=${{current##*,}}\n"
      "    compopt -o filenames 2>/dev/null\n"
      "    mapfile -t COMPREPLY < <(compgen \"$files\" -P \"${{current%\"$last\"}}\" -- \"$last\")\n"
      "  else\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
      "  fi\n"
      "}}\n"
      "complete -F {1} {0}\n",
      app.get_name(), name, chosen, commands);
}

std::string zsh_completion(const CLI::App& app) {
  const auto name = function_name(app);
  const auto subcommands = subcommands_of(app);
  auto text = fmt::format("#compdef {0}\n{1}() {{\n", app.get_name(), name);
  if (subcommands.empty()) {
    text += "  _arguments -s :" + zsh_arguments(app) + "\n";
  } else {
    text += "  local context state line\n  typeset -A opt_args\n  _arguments -C :" + zsh_arguments(app) +
            " \\\n    '1: :->command' '*:: :->rest'\n  case $state in\n    command)\n      local -a commands=(\n";
    for (const auto* command : subcommands)
      text += fmt::format("        '{}:{}'\n", command->get_name(), zsh_quoted(first_sentence(purpose_of(*command))));
    text += "      )\n      _describe command commands\n      ;;\n    rest)\n      case $words[1] in\n";
    for (const auto* command : subcommands)
      text += fmt::format("  {}) _arguments -s :{}\n  ;;\n", command->get_name(), zsh_arguments(*command));
    text += "      esac\n      ;;\n  esac\n";
  }
  return text + fmt::format("}}\n{} \"$@\"\n", name);
}

}  // namespace lw
