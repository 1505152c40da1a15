// A program's command line as manual pages, in the language of man(7): the texts are those of its --help.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace lw {

struct ManPage {
  std::string name;  // of section 1: "wall-probe-run"
  std::string text;
};

// The program's page, and one for each of its subcommands. `app` has its name. Any thread.
std::vector<ManPage> man_pages(const CLI::App& app, const std::string& version);

}  // namespace lw
