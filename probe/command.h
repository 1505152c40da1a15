// A subcommand of wall-probe. Each folder beside this file has one: it adds its options to the program's command line
// and says what to do once they are read.
#pragma once

#include "common/base/result.h"

#include <CLI/CLI.hpp>

#include <atomic>
#include <functional>

namespace lw {

struct Command {
  CLI::App* options = nullptr;
  // The program's exit status; `stop` becomes true at the first SIGINT or SIGTERM.
  std::function<Result<int>(const std::atomic<bool>& stop)> run;
};

}  // namespace lw
