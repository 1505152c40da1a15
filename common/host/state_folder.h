// Where a program keeps what outlives it: keys, tokens, the audit log, what was playing. Of its user alone (mode 0700).
#pragma once

#include "common/base/result.h"

#include <filesystem>
#include <string>

namespace lw {

// The folder, made if it is not there: `chosen` if not empty, else $STATE_DIRECTORY (which systemd sets), else
// $XDG_STATE_HOME/lambdawall, else $HOME/.local/state/lambdawall (XDG Base Directory Specification 0.8).
Result<std::filesystem::path> state_folder(const std::string& chosen);

}  // namespace lw
