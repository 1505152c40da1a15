// A subcommand of wall-probe. Each folder beside this file has one: it adds its options to the command line, and
// returns the function to run once they are parsed.
#pragma once

#include "common/base/result.h"

#include <CLI/CLI.hpp>

#include <atomic>
#include <functional>

namespace lw {

struct Command {
  CLI::App* options = nullptr;
  // Returns the program's exit status. `stop` becomes true at the first SIGINT or SIGTERM.
  std::function<Result<int>(const std::atomic<bool>& stop)> run;
};

}  // namespace lw
