// A folder that is removed after the test.
#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace lw::test {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lw-control-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path / name).rdbuf();
    return text.str();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
  [[nodiscard]] unsigned mode(const std::string& name) const {
    return static_cast<unsigned>(std::filesystem::status(path / name).permissions());
  }

  std::filesystem::path path;
};

}  // namespace lw::test
