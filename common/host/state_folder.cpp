#include "common/host/state_folder.h"

#include "common/base/environment.h"

#include <sys/stat.h>

namespace lw {
namespace {

constexpr const char* mend = "name another folder with --state";

std::string where(const std::string& chosen) {
  if (!chosen.empty()) return chosen;
  // systemd lists several folders, separated by colons, if a unit asks for several.
  if (const auto given = environment_variable("STATE_DIRECTORY"); !given.empty())
    return given.substr(0, given.find(':'));
  if (const auto base = environment_variable("XDG_STATE_HOME"); base.starts_with('/')) return base + "/lambdawall";
  if (const auto home = environment_variable("HOME"); home.starts_with('/')) return home + "/.local/state/lambdawall";
  return "";
}

}  // namespace

Result<std::filesystem::path> state_folder(const std::string& chosen) {
  const std::filesystem::path folder = where(chosen);
  if (folder.empty()) return Error{"no folder for the program's state: HOME is not set", mend};
  std::error_code error;
  const bool made = std::filesystem::create_directories(folder, error);
  if (error) return Error{"cannot create " + folder.string() + ": " + error.message(), mend};
  // An existing folder keeps its mode.
  if (made) chmod(folder.c_str(), S_IRWXU);
  return Result<std::filesystem::path>(boost::system::in_place_value, folder);
}

}  // namespace lw
