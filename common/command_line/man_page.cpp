#include "common/command_line/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace lw {

namespace {

// As roff prints it character by character: no request at the start of a line, and a hyphen that can be copied.
std::string roff(const std::string& text) {
  std::string safe;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) safe += "\\&";
    line_begins = c == '\n';
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
  }
  return safe;
}

// Line breaks of --help are those of a terminal.
std::string flowing(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return roff(text);
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// What whatis(1) lists: the first sentence of the description, as a phrase.
std::string summary_of(const CLI::App& app) {
  const auto description = app.get_description();
  std::string first = description.substr(0, description.find_first_of(".\n"));
  const bool abbreviation = first.size() > 1 && std::isupper(static_cast<unsigned char>(first[1])) != 0;
  if (!first.empty() && !abbreviation && first[1] != ' ')
    first[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(first[0])));
  return first;
}

std::string option_entry(const CLI::Formatter& formatter, const CLI::Option& option) {
  auto names = roff(option.get_positional() ? option.get_name(true, false) : option.get_name(false, true));
  auto value = formatter.make_option_opts(&option);
  value.erase(0, value.find_first_not_of(' '));
  return fmt::format(".TP\n.B {}{}\n{}\n", names, value.empty() ? "" : "\\fR " + roff(value),
                     flowing(option.get_description()));
}

std::string option_entries(const CLI::App& app, bool positional) {
  const CLI::Formatter formatter;
  std::string entries;
  for (const auto* option : app.get_options([positional](const CLI::Option* candidate) {
         return !candidate->get_group().empty() && candidate->get_positional() == positional;
       }))
    entries += option_entry(formatter, *option);
  return entries;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string command_entries(const CLI::App& app) {
  std::string entries;
  for (const auto* command : commands_of(app))
    entries += fmt::format(".TP\n.B {}\n{}: see\n.BR {}\\-{} (1)\n", roff(command->get_name()),
                           flowing(command->get_description()), roff(app.get_name()), roff(command->get_name()));
  return entries;
}

std::string section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}{}", title, text, text.back() == '\n' ? "" : "\n");
}

std::string synopsis(const CLI::App& app, const std::string& command) {
  const auto usage = CLI::Formatter().make_usage(&app, command);
  const auto begin = usage.find(command) + command.size();
  return fmt::format(".B {}\n{}", roff(command), roff(usage.substr(usage.find_first_not_of(' ', begin))));
}

// `command`: as it is typed, "wall-probe run".
ManPage page_of(const CLI::App& app, const std::string& command, const std::string& see_also,
                const std::string& version) {
  ManPage page{command, {}};
  std::ranges::replace(page.name, ' ', '-');
  page.text = fmt::format(".TH {} 1 \"\" \"Lambdawall {}\" \"Lambdawall\"\n", roff(upper_case(page.name)), version) +
              section("NAME", roff(page.name) + " \\- " + roff(summary_of(app))) +
              section("SYNOPSIS", synopsis(app, command)) +
              section("DESCRIPTION", flowing(app.get_description()) + "\n" + flowing(app.get_footer())) +
              section("ARGUMENTS", option_entries(app, true)) + section("OPTIONS", option_entries(app, false)) +
              section("COMMANDS", command_entries(app)) +
              section("EXIT STATUS",
                      ".TP\n.B 0\nsuccess\n.TP\n.B 1\nfailure; the reason is on stderr\n.TP\n.B 2\n"
                      "wrong usage\n") +
              section("SEE ALSO", see_also);
  return page;
}

}  // namespace

std::vector<ManPage> man_pages(const CLI::App& app, const std::string& version) {
  const std::string documents =
      "The package lambdawall\\-doc has the documentation, in\n.IR /usr/share/doc/lambdawall .\n";
  const auto& program = app.get_name();
  std::vector<ManPage> pages{page_of(app, program, documents, version)};
  for (const auto* command : commands_of(app))
    pages.push_back(page_of(*command, program + " " + command->get_name(),
                            fmt::format(".BR {} (1).\n{}", roff(program), documents), version));
  return pages;
}

}  // namespace lw
