#include "common/base/read_file.h"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <fstream>

using namespace lw;

TEST_CASE("a file is read whole, and what cannot be read is an error") {
  const auto file = std::filesystem::temp_directory_path() / ("read-file-test-" + std::to_string(getpid()));
  const std::string text(200'000, 'x');
  std::ofstream(file) << text;
  CHECK(read_file(file).value() == text);
  std::filesystem::remove(file);
  const auto gone = read_file(file);
  REQUIRE_FALSE(gone.has_value());
  CHECK(gone.error().what.find("No such file") != std::string::npos);
  CHECK(text_of(file).empty());
  const auto folder = read_file(std::filesystem::temp_directory_path());  // std::ifstream throws where read() fails
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().what.find("directory") != std::string::npos);
}
