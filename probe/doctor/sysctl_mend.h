// Changes kernel settings reversibly: first writes the current values into a script that restores them.
#pragma once

#include "probe/doctor/diagnosis.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace lw {

// The settings that fix findings; if several findings name one setting, the last one.
std::vector<Sysctl> sysctls_of(const std::vector<Complaint>& complaints);

// `undo`: the shell script to write, with a line for each setting. An error if it exists, since it may hold values from
// before an earlier run. `tell` is called with the command of each change before it is made. `root` contains proc/;
// tests pass a fake one.
Result<void> apply(const std::vector<Sysctl>& sysctls, const std::filesystem::path& undo,
                   const std::function<void(const std::string&)>& tell, const std::filesystem::path& root = "/");

}  // namespace lw
