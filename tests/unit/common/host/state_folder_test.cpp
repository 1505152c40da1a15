#include "common/host/state_folder.h"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace lw;
namespace fs = std::filesystem;

namespace {

// Restores the variables, whatever a test sets.
class Environment {
public:
  Environment() {
    for (const char* name : {"STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"}) {
      const char* value = std::getenv(name);
      kept_.emplace_back(name, value == nullptr ? "" : value);
      unsetenv(name);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : kept_)
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    fs::remove_all(root);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  const fs::path root = fs::temp_directory_path() / ("state_folder_test." + std::to_string(getpid()));

private:
  std::vector<std::pair<std::string, std::string>> kept_;
};

}  // namespace

TEST_CASE("the folder for a program's state is private to the user") {
  Environment environment;
  setenv("HOME", (environment.root / "home").c_str(), 1);
  const auto folder = state_folder("");
  REQUIRE(folder.has_value());
  CHECK(*folder == environment.root / "home/.local/state/lambdawall");
  CHECK(fs::status(*folder).permissions() == fs::perms::owner_all);
}

TEST_CASE("the state folder is chosen by option, by systemd, by XDG, in this order") {
  Environment environment;
  setenv("XDG_STATE_HOME", (environment.root / "xdg").c_str(), 1);
  CHECK(*state_folder("") == environment.root / "xdg/lambdawall");
  setenv("STATE_DIRECTORY", (environment.root / "unit").string().append(":/other").c_str(), 1);
  CHECK(*state_folder("") == environment.root / "unit");
  CHECK(*state_folder((environment.root / "mine").string()) == environment.root / "mine");
}

TEST_CASE("a folder that cannot be created is an error that names it") {
  Environment environment;
  const auto nowhere = state_folder("");
  REQUIRE(nowhere.has_error());
  CHECK(nowhere.error().text().find("HOME is not set") != std::string::npos);
  fs::create_directories(environment.root);
  std::ofstream(environment.root / "file") << "x";
  const auto file = state_folder((environment.root / "file").string());
  REQUIRE(file.has_error());
  CHECK(file.error().text().find((environment.root / "file").string()) != std::string::npos);
  CHECK(state_folder((environment.root / "file/below").string()).has_error());
}
