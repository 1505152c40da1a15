// A program with every kind of option, for the tests of what is made from its tables.
#pragma once

#include "common/command_line/command_line.h"

#include <string>
#include <vector>

namespace lw::test {

struct ExampleProgram {
  CLI::App app{"Shows things. It is quick."};
  std::string input, wall, log = "info", text, fit = "fit";
  std::vector<std::string> out;
  unsigned count = 10;
  double rate = 0;
  bool quiet = false, loud = false, secret = false;
  CLI::App* run = nullptr;

  explicit ExampleProgram(bool with_subcommands = false) {
    app.name("wall-thing");
    add(app);
    if (!with_subcommands) return;
    app.require_subcommand(1);
    run = app.add_subcommand("run", "Run a thing-like thing");
    begin_group(*run, "Load");
    run->add_option("--rate", rate, "Gbit/s")->required()->check(number_between(0, 100));
    run->add_option("FILE", text, "What to run");
    set_examples(*run, {{"one Gbit/s", "wall-thing run --rate 1"}});
    app.add_subcommand("report", "Report it: [a] 'quoted' thing");
  }

  // Without a subcommand, the program itself has an argument.
  void add(CLI::App& to) {
    begin_group(to, "Wall");
    to.add_option("-w,--wall", wall, "A file\\path, 'quoted'\n.TH is not a request")->option_text("FILE");
    to.add_option("--out", out, "Where to write it")->delimiter(',')->option_text("DIR[,DIR...]");
    begin_group(to, "Pixels");
    to.add_option("--fit", fit, "How it fits")->check(one_of({"fit", "fill", "exact"}))->capture_default_str();
    to.add_option("--count", count, "How many")->check(whole_between(1, 100))->capture_default_str();
    auto* quiet_flag = to.add_flag("-q,--quiet", quiet, "Print nothing");
    to.add_flag("--loud", loud, "Print everything")->excludes(quiet_flag);
    to.add_option("--text", text, "A text")->needs(quiet_flag);
    to.add_flag("--hidden", secret, "Not for people")->group("");
    set_examples(to, {{"show a wall", "wall-thing --wall wall.toml"}});
  }
};

// With an argument, and an option that must be given.
struct StrictProgram : ExampleProgram {
  StrictProgram() {
    app.get_option("--wall")->required();
    app.add_option("INPUT", input, "What to show")->required()->option_text("FILE");
  }
};

}  // namespace lw::test
