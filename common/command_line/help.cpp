#include "common/command_line/help.h"

#include "common/command_line/option_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace lw {

namespace {

constexpr std::size_t line_width = 80;
constexpr std::size_t text_column = 28;
constexpr std::size_t kept_together = 32;

// What stands in parentheses, if short, is one word: "(1 to 64; default: 16)".
std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const auto begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return words;
    auto end = std::min(text.find_first_of(" \n", begin), text.size());
    if (text[begin] == '(')
      if (const auto close = text.find(')', begin); close != std::string_view::npos && close - begin < kept_together)
        end = std::max(end, std::min(text.find_first_of(" \n", close), text.size()));
    words.emplace_back(text.substr(begin, end - begin));
    std::ranges::replace(words.back(), '\n', ' ');
    text.remove_prefix(end);
  }
}

// Continues `line`, the last of the text so far, with the words; further lines are indented.
std::string filled(std::string line, const std::vector<std::string>& words, std::size_t indent) {
  std::string text;
  bool blank = line.size() <= indent;
  for (const auto& word : words) {
    if (!blank && line.size() + 1 + word.size() > line_width) {
      text += line + "\n";
      line.assign(indent, ' ');
      blank = true;
    }
    line += (blank ? "" : " ") + word;
    blank = false;
  }
  return text + line + "\n";
}

std::string paragraphs(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const auto end = std::min(text.find("\n\n"), text.size());
    shown += (shown.empty() ? "" : "\n") + filled("", words_in(text.substr(0, end)), 0);
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return shown;
}

std::string entry(const std::string& left, const std::string& description) {
  auto line = "  " + left;
  if (description.empty()) return line + "\n";
  std::string text;
  if (line.size() + 2 > text_column) {
    text = line + "\n";
    line.clear();
  }
  line.resize(text_column, ' ');
  return text + filled(line, words_in(description), text_column);
}

std::string entry(const CLI::Option& option) {
  const auto value = option.get_positional() ? "" : value_of(option);
  return entry(names_of(option) + (value.empty() ? "" : " " + value), description_of(option));
}

std::string section(const std::string& title, const std::vector<const CLI::Option*>& options) {
  std::string text;
  for (const auto* option : options) text += entry(*option);
  return text.empty() ? "" : fmt::format("\n{}:\n{}", title, text);
}

}  // namespace

void set_examples(CLI::App& app, const std::vector<Example>& examples) {
  std::string text;
  for (const auto& example : examples) text += fmt::format("  # {}\n  {}\n", example.purpose, example.command);
  app.footer(text);
}

std::string help_text(const CLI::App& app) {
  auto usage = usage_of(app);
  auto text = filled("Usage:", usage, 4) + "\n" + paragraphs(app.get_description());
  text += section("Arguments", positionals_of(app));
  for (const auto& group : groups_of(app)) text += section(group.title, group.options);
  if (const auto subcommands = subcommands_of(app); !subcommands.empty()) {
    text += "\nSubcommands:\n";
    for (const auto* command : subcommands) text += entry(command->get_name(), purpose_of(*command));
  }
  if (!app.get_footer().empty()) text += "\nExamples:\n" + app.get_footer();
  return text;
}

}  // namespace lw
