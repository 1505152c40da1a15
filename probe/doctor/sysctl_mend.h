// Sets kernel settings so that it can be taken back: what was there before is written into a script first.
#pragma once

#include "probe/doctor/diagnosis.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace lw {

// The findings that a kernel setting fixes; of several for one setting, the last.
std::vector<Sysctl> sysctls_of(const std::vector<Complaint>& complaints);

// `undo` becomes a shell script with a line for each setting; a file that is there already is an error, since it may
// hold what was before an earlier run. `tell` is called before each change with its command. `root` holds proc/; tests
// pass a made-up one.
Result<void> apply(const std::vector<Sysctl>& sysctls, const std::filesystem::path& undo,
                   const std::function<void(const std::string&)>& tell, const std::filesystem::path& root = "/");

}  // namespace lw
