#include "common/base/beneath.h"

#include <catch2/catch.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "tests/support/store_folder.h"

using namespace lw;
namespace fs = std::filesystem;

namespace {

// A folder with a file, and beside it content that readers of the folder must not see.
struct Folders {
  StoreFolder all;
  const fs::path inside = all.path / "inside";
  Descriptor open;
  Folders() {
    fs::create_directories(inside / "sub");
    std::ofstream(inside / "file") << "text";
    std::ofstream(inside / "sub" / "file") << "deep";
    fs::create_directories(all.path / "outside");
    std::ofstream(all.path / "outside" / "secret") << "secret";
    open = open_folder(inside, "").value();
  }
  [[nodiscard]] Beneath beneath() const { return {open.get(), inside, "correct it"}; }
};

void refused(const Folders& folders, const fs::path& name) {
  for (const auto lookup : {Lookup::kernel, Lookup::by_folder}) {
    const auto file = folders.beneath().open_file(name, lookup);
    INFO(name << " by " << static_cast<int>(lookup));
    REQUIRE(file.has_error());
    CHECK_THAT(file.error().text(), Catch::Contains("inside") && Catch::EndsWith("; correct it"));
  }
}

}  // namespace

TEST_CASE("regular files of a folder and its sub-folders are opened, with the kernel's lookup and without") {
  const Folders folders;
  for (const auto lookup : {Lookup::kernel, Lookup::by_folder}) {
    CHECK(folders.beneath().open_file("file", lookup).has_value());
    CHECK(folders.beneath().open_file("sub/file", lookup).has_value());
    CHECK(folders.beneath().open_file("./sub/./file", lookup).has_value());
    CHECK(folders.beneath().open_folder("sub", lookup).has_value());
    CHECK(folders.beneath().open_folder(".", lookup).has_value());
    CHECK(folders.beneath().open_folder("file", lookup).has_error());
  }
  CHECK(folders.beneath().read("sub/file", 4).value() == "deep");
  CHECK(folders.beneath().read("file", 3).has_error());
}

TEST_CASE("nothing outside the folder is opened, by link or by name") {
  const Folders folders;
  fs::create_symlink(folders.all.path / "outside" / "secret", folders.inside / "link");
  fs::create_symlink(folders.all.path / "outside", folders.inside / "folder-link");
  fs::create_symlink("file", folders.inside / "link-within");
  fs::create_symlink("/proc/self/fd", folders.inside / "magic");
  for (const auto* name : {"link", "folder-link/secret", "link-within", "../outside/secret", "sub/../../outside/secret",
                           "magic/0", "", "/etc/passwd"})
    refused(folders, name);
  refused(folders, folders.all.path / "outside" / "secret");
  for (const auto lookup : {Lookup::kernel, Lookup::by_folder})
    CHECK(folders.beneath().open_folder("folder-link", lookup).has_error());
}

TEST_CASE("pipes, sockets and folders are refused, and block nobody") {
  const Folders folders;
  REQUIRE(::mkfifo((folders.inside / "pipe").c_str(), 0600) == 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folders.inside / "socket").c_str(), sizeof(address.sun_path) - 1);
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  REQUIRE(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  for (const auto* name : {"pipe", "socket", "sub", "nothing"}) refused(folders, name);
}

TEST_CASE("a folder named by a person may be a link, and remains the one that was opened") {
  const Folders folders;
  fs::create_symlink(folders.inside, folders.all.path / "named");
  const auto open = open_folder(folders.all.path / "named", "");
  REQUIRE(open.has_value());
  fs::rename(folders.inside, folders.all.path / "away");
  fs::create_symlink(folders.all.path / "outside", folders.inside);
  CHECK(Beneath{open->get(), folders.inside, ""}.read("file", 100).value() == "text");
}

TEST_CASE("a file is replaced in one step, and links of its name or beside it are not written through") {
  const Folders folders;
  const auto secret = folders.all.path / "outside" / "secret";
  fs::remove(folders.inside / "file");
  fs::create_symlink(secret, folders.inside / "file");
  fs::create_symlink(secret, folders.inside / ".file.new");
  REQUIRE(folders.beneath().replace("file", "new", timespec{1'000'000'000, 5}).has_value());
  CHECK(folders.beneath().read("file", 100).value() == "new");
  CHECK(std::ifstream(secret).get() == 's');
  struct stat status {};
  REQUIRE(::stat((folders.inside / "file").c_str(), &status) == 0);
  CHECK(status.st_mtim.tv_sec == 1'000'000'000);
  CHECK(std::distance(fs::directory_iterator(folders.inside), {}) == 3);  // nothing is left beside it
}

TEST_CASE("a file that cannot be replaced is kept, and nothing is left beside it") {
  const Folders folders;
  CHECK(folders.beneath().replace("sub", "text").has_error());
  CHECK(std::distance(fs::directory_iterator(folders.inside), {}) == 2);
}
