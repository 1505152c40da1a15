// A wrong command line in the project's words: what is wrong, and how to fix it.
#pragma once

#include "common/base/result.h"

#include <CLI/CLI.hpp>

namespace lw {

// What CLI11 found wrong when `app` read its command line. Main thread.
Error usage_error(const CLI::App& app, const CLI::ParseError& found);

}  // namespace lw
