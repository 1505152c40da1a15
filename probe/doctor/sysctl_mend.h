// Changes kernel settings reversibly, now and for the next boots: first writes the current values into a script that
// restores them.
#pragma once

#include "probe/doctor/diagnosis.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// The settings that fix findings; if several findings name one setting, the last one.
std::vector<Sysctl> sysctls_of(const std::vector<Complaint>& complaints);

// The file with the settings for every boot (sysctl.d(5)). Its lines for other settings stay.
inline constexpr std::string_view sysctl_file = "etc/sysctl.d/90-lambdawall.conf";
// Its text with `sysctls`, if it was `before`.
std::string sysctl_file_with(const std::vector<Sysctl>& sysctls, const std::string& before);

// One line for each change that apply makes.
std::vector<std::string> changes_of(const std::vector<Sysctl>& sysctls);

// `undo`: the shell script to write, which restores all. An error if it exists, since it may hold values from before an
// earlier run. `tell` is called with each line of changes_of before the change. `root` contains proc/ and etc/; tests
// pass a fake one.
Result<void> apply(const std::vector<Sysctl>& sysctls, const std::filesystem::path& undo,
                   const std::function<void(const std::string&)>& tell, const std::filesystem::path& root = "/");

}  // namespace lw
