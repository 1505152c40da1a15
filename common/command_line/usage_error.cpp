#include "common/command_line/usage_error.h"

#include "common/command_line/option_text.h"
#include "common/command_line/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lw {

namespace {

std::string help_of(const CLI::App& command) { return command_of(command) + " --help"; }

std::string name_of(const CLI::Option& option) {
  return option.get_positional() ? value_of(option) : words_of(option).back();
}

std::string fix_of(const std::string& typed, const std::vector<std::string>& known, const std::string& otherwise) {
  const auto meant = suggestion(typed, known);
  return meant ? "did you mean " + *meant + "?" : otherwise;
}

// A word that the command line has and the program does not know.
Error about_unknown(const CLI::App& command, const std::string& word) {
  if (word.size() > 1 && word.front() == '-') {
    const auto name = word.substr(0, word.find('='));
    const auto known = option_words(command);
    if (std::ranges::find(known, name) != known.end())
      return {name + " is before its subcommand", "write it after " + command.get_name()};
    return {"unknown option " + name, fix_of(name, known, help_of(command) + " lists the options")};
  }
  if (!subcommands_of(command).empty())
    return {fmt::format("unknown subcommand '{}'", word),
            fix_of(word, subcommand_names(command), help_of(command) + " lists them")};
  return {fmt::format("unexpected argument '{}'", word), help_of(command) + " shows the usage"};
}

// "--wall FILE and --node NAME"
std::string with_values(const std::vector<const CLI::Option*>& options) {
  std::vector<std::string> texts;
  for (const auto* option : options)
    texts.push_back(option->get_positional() ? name_of(*option) : name_of(*option) + " " + value_of(*option));
  const auto last = texts.back();
  texts.pop_back();
  return texts.empty() ? last : fmt::format("{} and {}", fmt::join(texts, ", "), last);
}

Error about_missing(const CLI::App& command, const std::string& text) {
  const auto missing =
      command.get_options([](const CLI::Option* option) { return option->get_required() && option->count() == 0; });
  if (!missing.empty())
    return {with_values({missing.begin(), missing.end()}) + (missing.size() > 1 ? " are missing" : " is missing"),
            help_of(command) + " has examples"};
  if (!subcommands_of(command).empty() && command.get_subcommands().empty())
    return {"no subcommand is given", help_of(command) + " lists them"};
  return {text.substr(0, text.find(" is required")) + " is missing", help_of(command) + " describes it"};
}

// Pairs of which the first was given, and the second should be, or should not be.
std::optional<std::pair<const CLI::Option*, const CLI::Option*>> conflict(const CLI::App& command, bool excluded) {
  for (const auto* option : command.get_options([](const CLI::Option* one) { return one->count() > 0; }))
    for (const auto* other : excluded ? option->get_excludes() : option->get_needs())
      if ((other->count() > 0) == excluded) return std::pair{option, other};
  return std::nullopt;
}

// "--wall: 1 required TEXT missing"
std::optional<Error> about_values(const CLI::App& command, const std::string& text) {
  const auto name = text.substr(0, text.find_first_of(": "));
  for (const auto* option : command.get_options([](const CLI::Option*) { return true; })) {
    if (option->get_name() != name && !option->check_name(name)) continue;
    const auto value = value_of(*option);
    if (option->count() > 1) return Error{name + " is given several times", "give it once"};
    if (!value.empty()) return Error{name + " has no value", "write " + name + " " + value};
    return Error{name + " takes no value", "write " + name + " alone"};
  }
  return std::nullopt;
}

// Of a check, which may say how to fix it ("--fit: 'foo' is unknown; use fit or fill").
Error about_value(const CLI::App& command, std::string text) {
  constexpr std::string_view not_converted = "Could not convert: ";
  if (text.starts_with(not_converted)) {
    text.erase(0, not_converted.size());
    if (const auto equals = text.find(" = "); equals != std::string::npos)
      text = fmt::format("{}: '{}' is not valid", text.substr(0, equals), text.substr(equals + 3));
  }
  return {text, text.find("; ") == std::string::npos ? help_of(command) + " describes it" : ""};
}

}  // namespace

Error usage_error(const CLI::App& app, const CLI::ParseError& found) {
  const auto& command = used_command(app);
  if (const auto unknown = app.remaining(true); !unknown.empty()) return about_unknown(command, unknown.front());
  const auto kind = found.get_name();
  const std::string text = found.what();
  if (kind == "RequiredError") return about_missing(command, text);
  if (kind == "RequiresError")
    if (const auto pair = conflict(command, false))
      return {fmt::format("{} needs {}", name_of(*pair->first), name_of(*pair->second)), "add it"};
  if (kind == "ExcludesError")
    if (const auto pair = conflict(command, true))
      return {fmt::format("{} and {} exclude each other", name_of(*pair->first), name_of(*pair->second)),
              "use one of them"};
  if (kind == "ArgumentMismatch")
    if (auto error = about_values(command, text)) return *error;
  return about_value(command, text);
}

}  // namespace lw
