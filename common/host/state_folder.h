// The folder for data that outlives a program: keys, tokens, audit log, what was playing. For its user only (0700).
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <string>

namespace lw {

// Returns the folder, and creates it if necessary: `chosen` if not empty, else $STATE_DIRECTORY (set by systemd), else
// $XDG_STATE_HOME/lambdawall, else $HOME/.local/state/lambdawall (XDG Base Directory Specification 0.8).
Result<std::filesystem::path> state_folder(const std::string& chosen);

}  // namespace lw
