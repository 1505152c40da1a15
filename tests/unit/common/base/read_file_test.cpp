#include "common/base/read_file.h"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

using namespace lw;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t limit = 200'000;

class Folder {
public:
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path path = fs::temp_directory_path() / ("read_file_test." + std::to_string(getpid()));
};

void refused(const fs::path& file, const std::string& because) {
  const auto read = read_file(file, limit, "name another");
  REQUIRE(read.has_error());
  CHECK_THAT(read.error().text(),
             Catch::Contains(file.string()) && Catch::Contains(because) && Catch::EndsWith("; name another"));
}

}  // namespace

TEST_CASE("a file is read completely up to the limit, and not above it") {
  const Folder folder;
  const auto file = folder.path / "file";
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{65'536}, limit}) {
    const std::string text(bytes, 'x');
    std::ofstream(file) << text;
    const auto read = read_file(file, limit, "");
    REQUIRE(read.has_value());
    CHECK(*read == text);
  }
  std::ofstream(file, std::ios::app) << "y";
  refused(file, "larger than the 195 KiB");
  refused("/dev/zero", "larger");
}

TEST_CASE("an unreadable file is an error that says why") {
  const Folder folder;
  refused(folder.path / "none", "No such file");
  refused(folder.path, "Is a directory");
}

TEST_CASE("a pipe is read to its end") {
  const Folder folder;
  const auto pipe = folder.path / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::jthread writer([&] { std::ofstream(pipe) << "[wall]"; });
  CHECK(*read_file(pipe, limit, "") == "[wall]");
}
