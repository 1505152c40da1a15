#include "common/command_line/option_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace lw {

namespace {

bool is_shown(const CLI::Option* option) { return !option->get_group().empty(); }

// CLI11 adds to an option's type what the checks of its value say of themselves (values.h): "TEXT:{rgb8,rgb10}".
std::string between(const CLI::Option& option, char opening, char closing) {
  const auto type = option.get_type_name();
  const auto begin = type.find(opening);
  const auto end = type.find(closing, begin == std::string::npos ? 0 : begin);
  return begin == std::string::npos || end == std::string::npos ? "" : type.substr(begin + 1, end - begin - 1);
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(at), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string name_of_type(const CLI::Option& option) {
  const auto type = option.get_type_name();
  if (type.starts_with("UINT") || type.starts_with("INT")) return "N";
  return type.starts_with("FLOAT") ? "NUMBER" : "TEXT";
}

}  // namespace

std::vector<OptionGroup> groups_of(const CLI::App& app) {
  std::vector<OptionGroup> groups;
  OptionGroup general{general_options, {}};
  for (const auto* option : app.get_options(is_shown)) {
    if (option->get_positional()) continue;
    if (option->get_group() == general.title) {
      general.options.push_back(option);
      continue;
    }
    auto group = std::ranges::find(groups, option->get_group(), &OptionGroup::title);
    if (group == groups.end()) group = groups.insert(groups.end(), {option->get_group(), {}});
    group->options.push_back(option);
  }
  if (!general.options.empty()) groups.push_back(std::move(general));
  return groups;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> options;
  for (const auto& group : groups_of(app)) options.insert(options.end(), group.options.begin(), group.options.end());
  return options;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return is_shown(option) && option->get_positional(); });
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : subcommands_of(app)) names.push_back(command->get_name());
  return names;
}

const CLI::App& used_command(const CLI::App& app) {
  const auto used = app.get_subcommands();
  return used.empty() ? app : used_command(*used.back());
}

std::string command_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : command_of(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> words_of(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const auto& name : option.get_snames()) words.push_back("-" + name);
  for (const auto& name : option.get_lnames()) words.push_back("--" + name);
  return words;
}

std::vector<std::string> option_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const auto* option : options_of(app)) std::ranges::copy(words_of(*option), std::back_inserter(words));
  return words;
}

std::string names_of(const CLI::Option& option) {
  return option.get_positional() ? option.get_name(true, false) : fmt::format("{}", fmt::join(words_of(option), ", "));
}

std::string value_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  if (option.get_items_expected_max() == 0) return {};
  if (!option.get_option_text().empty()) return option.get_option_text();
  const auto choices = choices_of(option);
  return choices.empty() ? name_of_type(option) : fmt::format("{}", fmt::join(choices, "|"));
}

std::vector<std::string> choices_of(const CLI::Option& option) { return split(between(option, '{', '}'), ','); }

std::string description_of(const CLI::Option& option) {
  auto text = option.get_description();
  auto limits = between(option, '[', ']');
  std::string standard = option.get_default_str();
  if (!standard.empty() && option.get_items_expected_max() > 0) standard = "default: " + standard;
  constexpr std::string_view by_hand = " (default: ";
  if (const auto at = text.rfind(by_hand); at != std::string::npos && text.ends_with(')') && !limits.empty()) {
    standard = text.substr(at + 2, text.size() - at - 3);
    text.erase(at);
  }
  if (!limits.empty() && !standard.empty()) limits += "; ";
  const auto more = limits + standard;
  return more.empty() ? text : fmt::format("{}{}({})", text, text.empty() ? "" : " ", more);
}

std::string purpose_of(const CLI::App& app) {
  const auto text = app.get_description();
  return text.substr(0, text.find("\n\n"));
}

std::vector<std::string> usage_of(const CLI::App& app) {
  std::vector<std::string> words{command_of(app)};
  const auto needed = [](const CLI::Option* option) { return option->get_required(); };
  for (const auto* argument : positionals_of(app))
    words.push_back(argument->get_required() ? value_of(*argument) : "[" + value_of(*argument) + "]");
  for (const auto* option : app.get_options(needed))
    if (!option->get_positional()) words.push_back(words_of(*option).back() + " " + value_of(*option));
  if (!subcommands_of(app).empty()) words.emplace_back("SUBCOMMAND");
  words.emplace_back("[OPTIONS]");
  return words;
}

bool takes_list(const CLI::Option& option) { return option.get_delimiter() == ','; }

ValueKind kind_of(const CLI::Option& option) {
  const auto value = option.get_option_text().empty() ? value_of(option) : option.get_option_text();
  const auto has = [&value](std::string_view word) { return value.find(word) != std::string::npos; };
  if (value.empty()) return ValueKind::none;
  if (!choices_of(option).empty()) return ValueKind::choice;
  if (has("DIR") || has("STORE")) return ValueKind::folder;
  return has("FILE") ? ValueKind::file : ValueKind::text;
}

}  // namespace lw
