#include "common/command_line/command_line.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <vector>

using namespace lw;
using lw::test::TemporaryFolder;

namespace {

std::optional<int> parse(std::vector<const char*> words) {
  CLI::App app("Shows things.");
  int count = 0;
  app.add_option("--count", count, "How many")->required();
  app.add_subcommand("run", "Runs");
  words.insert(words.begin(), "/usr/bin/wall-thing");
  return parse_command_line(app, "wall-thing", static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("a command line decides whether the program runs") {
  CHECK(parse({"--count", "3"}) == std::nullopt);
  CHECK(parse({"--help"}) == 0);
  CHECK(parse({"--version"}) == 0);
  CHECK(parse({}) == 2);
  CHECK(parse({"--count", "many"}) == 2);
  CHECK(parse({"--count", "3", "--cuont"}) == 2);
}

TEST_CASE("--man writes a page for the program and for each subcommand, whatever else is required") {
  const TemporaryFolder folder;
  CHECK(parse({"--man", (folder.path / "man").c_str()}) == 0);
  CHECK(std::filesystem::file_size(folder.path / "man/wall-thing.1") > 0);
  CHECK(std::filesystem::file_size(folder.path / "man/wall-thing-run.1") > 0);
  CHECK(parse({"--man", "/proc/none/man"}) == 1);
}

TEST_CASE("--completion prints the script of a shell, whatever else is required, and knows no other shell") {
  CHECK(parse({"--completion", "bash"}) == 0);
  CHECK(parse({"--completion", "zsh"}) == 0);
  CHECK(parse({"--completion", "tcsh"}) == 2);
}
