// What a program does with its tokens and its certificate from the command line, and then ends.
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <string>

namespace lw {

struct TokenCommands {
  std::string add;  // the name of a token
  std::string role;
  std::string remove;
  bool list = false;
  bool fingerprint = false;

  [[nodiscard]] bool any() const { return !add.empty() || !remove.empty() || list || fingerprint; }
};

// What to print. `certificate`: empty for the state folder's own.
Result<std::string> run(const TokenCommands& commands, const std::filesystem::path& state,
                        const std::filesystem::path& certificate);

}  // namespace lw
