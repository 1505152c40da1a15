// The commands of a program for its tokens and its certificate, after which it exits.
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

// Returns the text to print. `certificate`: empty for that of the state folder.
Result<std::string> run(const TokenCommands& commands, const std::filesystem::path& state,
                        const std::filesystem::path& certificate);

}  // namespace lw
