#include "server/play/playing_lock.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>

#include "common/store/playing_file.h"
#include "tests/support/store_folder.h"

namespace fs = std::filesystem;
using namespace lw;

namespace {

Manifest film() {
  Manifest manifest;
  manifest.geometry = {8, 8, 320, 200, 0, 0};
  manifest.frame_rate = {10, 1};
  manifest.stripes = {"."};
  return manifest;
}

}  // namespace

TEST_CASE("the rate that a store's directories must deliver is computed from its frames") {
  auto manifest = film();
  const std::uint64_t all = std::uint64_t{192'512} * 64 * 10;  // 320 x 200 x 3, padded to 4096
  CHECK(playing_needs("/content/film", manifest, 1) == PlayingNeeds{{"/content", all}});
  CHECK(playing_needs("/content/film", manifest, -2) == PlayingNeeds{{"/content", 2 * all}});
  CHECK(playing_needs("/content/film", manifest, 0.1) == PlayingNeeds{{"/content", all}});
  manifest.stripes = {".", "/disk-b/film", "/disk-c/film", "/disk-d/film/"};
  CHECK(playing_needs("/content/film", manifest, 1) ==
        PlayingNeeds{{"/content", all / 4}, {"/disk-b", all / 4}, {"/disk-c", all / 4}, {"/disk-d", all / 4}});
}

TEST_CASE("a server is registered in a directory while it plays from there, and no longer") {
  const StoreFolder folder;
  CHECK_FALSE(playing_from(folder.path));
  PlayingLocks first({folder.path});
  CHECK(first.hold({{folder.path, 1000}}).empty());
  REQUIRE(playing_from(folder.path));
  CHECK(playing_from(folder.path)->bytes_per_second == 1000);
  CHECK(first.hold({{folder.path, 3000}}).empty());
  {
    PlayingLocks second({folder.path});
    CHECK(second.hold({{folder.path, 500}}).empty());
    CHECK(playing_from(folder.path)->servers == 2);
    CHECK(playing_from(folder.path)->bytes_per_second == 3500);
    CHECK(playing_from(folder.path)->complete);
  }
  CHECK(playing_from(folder.path)->bytes_per_second == 3000);
  CHECK(first.hold({}).empty());
  CHECK_FALSE(playing_from(folder.path));
  struct stat status {};
  REQUIRE(stat((folder.path / playing_file_name).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0644);
}

TEST_CASE("the lock of a killed server is released") {
  const StoreFolder folder;
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  if (child == 0) {
    PlayingLocks locks({folder.path});
    const char done = locks.hold({{folder.path, 77}}).empty() ? 'y' : 'n';
    if (::write(ready[1], &done, 1) == 1) pause();
    _exit(1);
  }
  char done = 0;
  REQUIRE(read(ready[0], &done, 1) == 1);
  CHECK(done == 'y');
  CHECK(playing_from(folder.path)->bytes_per_second == 77);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK_FALSE(playing_from(folder.path));
  CHECK(fs::exists(folder.path / playing_file_name));
  close(ready[0]);
  close(ready[1]);
}

TEST_CASE("only the file itself is opened, created or written") {
  const StoreFolder folder;
  const StoreFolder elsewhere;
  const auto refused = [&](const std::string& reason) {
    PlayingLocks locks({folder.path});
    const auto errors = locks.hold({{folder.path, 1}});
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].what.find(reason) != std::string::npos);
    CHECK(locks.hold({{folder.path, 1}}).empty());  // reported once
    CHECK_FALSE(playing_from(folder.path));
    fs::remove(folder.path / playing_file_name);
  };
  fs::create_symlink(elsewhere.path / "made", folder.path / playing_file_name);
  refused("link");
  CHECK_FALSE(fs::exists(elsewhere.path / "made"));
  mkfifo((folder.path / playing_file_name).c_str(), 0644);
  refused("not a file of wall-server's");
  std::ofstream(elsewhere.path / "thesis.tex") << "text";
  fs::create_hard_link(elsewhere.path / "thesis.tex", folder.path / playing_file_name);
  refused("not a file of wall-server's");
  std::ofstream(folder.path / playing_file_name) << "notes of mine";
  refused("not a file of wall-server's");
  fs::create_directory(folder.path / playing_file_name);
  refused("directory");
}

TEST_CASE("no file is created in a stripe's directory, which the store names") {
  const StoreFolder content;
  const StoreFolder stripes;
  PlayingLocks locks({content.path});
  const PlayingNeeds needs{{content.path, 1}, {stripes.path, 1}};
  CHECK(locks.hold(needs).size() == 1);
  CHECK_FALSE(fs::exists(stripes.path / playing_file_name));
  CHECK(playing_from(content.path));
  std::ofstream(stripes.path / playing_file_name).close();  // wall-ingest did
  CHECK(locks.hold(needs).empty());
  CHECK(playing_from(stripes.path));
}
