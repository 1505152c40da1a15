// The checks of values on the command line. Each says how to write the value if it is wrong, and shows its limits or
// its choices in --help, the manual pages and the completions (option_text.h). CLI11's own checks do neither: its Range
// accepts NaN, which is neither below nor above anything.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace lw {

// One of these words.
CLI::Validator one_of(const std::vector<std::string>& words);

// A number from `min` to `max`. With `or_zero`, 0 is also allowed, where it means "none".
CLI::Validator number_between(double min, double max, bool or_zero = false);
CLI::Validator whole_between(std::int64_t min, std::int64_t max);

// A directory, or any file, that exists.
CLI::Validator existing_folder();
CLI::Validator existing_file();

}  // namespace lw
