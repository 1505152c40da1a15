#include "common/command_line/man_page.h"

#include "common/command_line/option_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string option_entry(const CLI::Option& option) {
  const auto value = option.get_positional() ? "" : value_of(option);
  return fmt::format(".TP\n.B {}{}\n{}\n", roff(names_of(option)), value.empty() ? "" : "\\fR " + roff(value),
                     flowing(description_of(option)));
}

std::string entries(const std::vector<const CLI::Option*>& options) {
  std::string text;
  for (const auto* option : options) text += option_entry(*option);
  return text;
}

// A heading for each group, unless there is one group.
std::string option_entries(const CLI::App& app) {
  const auto groups = groups_of(app);
  std::string text;
  for (const auto& group : groups)
    text += (groups.size() > 1 ? ".SS " + roff(group.title) + "\n" : "") + entries(group.options);
  return text;
}

std::string command_entries(const CLI::App& app) {
  std::string entries;
  for (const auto* command : subcommands_of(app))
    entries += fmt::format(".TP\n.B {}\n{}: see\n.BR {}\\-{} (1)\n", roff(command->get_name()),
                           flowing(purpose_of(*command)), roff(app.get_name()), roff(command->get_name()));
  return entries;
}

std::string section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}{}", title, text, text.back() == '\n' ? "" : "\n");
}

std::string synopsis(const CLI::App& app) {
  const auto words = usage_of(app);
  return fmt::format(".B {}\n{}", roff(words.front()),
                     roff(fmt::format("{}", fmt::join(words.begin() + 1, words.end(), " "))));
}

// Lines as they are typed.
std::string examples(const CLI::App& app) {
  return app.get_footer().empty() ? "" : fmt::format(".nf\n{}.fi\n", roff(app.get_footer()));
}

std::string paragraphs(std::string text) {
  std::string shown;
  for (auto end = text.find("\n\n"); end != std::string::npos; end = text.find("\n\n")) {
    shown += flowing(text.substr(0, end)) + "\n.PP\n";
    text.erase(0, end + 2);
  }
  return shown + flowing(text);
}

ManPage page_of(const CLI::App& app, const std::string& see_also, const std::string& version) {
  ManPage page{command_of(app), {}};
  std::ranges::replace(page.name, ' ', '-');
  page.text = fmt::format(".TH {} 1 \"\" \"Lambdawall {}\" \"Lambdawall\"\n", roff(upper_case(page.name)), version) +
              section("NAME", roff(page.name) + " \\- " + roff(summary_of(app))) + section("SYNOPSIS", synopsis(app)) +
              section("DESCRIPTION", paragraphs(app.get_description())) +
              section("ARGUMENTS", entries(positionals_of(app))) + section("OPTIONS", option_entries(app)) +
              section("COMMANDS", command_entries(app)) + section("EXAMPLES", examples(app)) +
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
  std::vector<ManPage> pages{page_of(app, documents, version)};
  const auto of_program = fmt::format(".BR {} (1).\n{}", roff(app.get_name()), documents);
  for (const auto* command : subcommands_of(app)) pages.push_back(page_of(*command, of_program, version));
  return pages;
}

}  // namespace lw
