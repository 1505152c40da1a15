// Nothing outside the directories that the administrator named can be imported, by whatever name.
#include "server/control/import_source.h"

#include "tests/support/store_folder.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace {

using namespace lw;
namespace fs = std::filesystem;

struct Folders {
  StoreFolder all;
  fs::path allowed = all.path / "import";
  fs::path secret = all.path / "secret";
  Folders() {
    fs::create_directories(allowed / "shots");
    fs::create_directories(secret);
    fs::create_directories(all.path / "import-of-others");
    for (const auto& file : {allowed / "film.mp4", allowed / "shots/shot-01.png", secret / "film.mp4",
                             all.path / "import-of-others/film.mp4", allowed / "50%.mp4"})
      std::ofstream(file) << "media";
  }
  [[nodiscard]] Result<std::string> source(const std::string& input) const { return import_source(input, {allowed}); }
  [[nodiscard]] std::string refusal(const std::string& input) const {
    const auto taken = source(input);
    return taken ? "taken as " + *taken : taken.error().text();
  }
};

}  // namespace

TEST_CASE("files, folders and patterns below an allowed directory are taken") {
  const Folders folders;
  const auto real = fs::canonical(folders.allowed).string();
  for (const auto* name : {"film.mp4", "shots", "shots/shot-%02d.png", "shots/shot-*.png", "50%.mp4"})
    CHECK(folders.source(folders.allowed / name).value() == real + "/" + name);
  CHECK(folders.source(folders.allowed / "shots/../film.mp4").value() == real + "/film.mp4");
  CHECK(folders.source(folders.allowed).value() == real);
  fs::create_symlink(folders.allowed, folders.all.path / "link");
  CHECK(import_source(folders.all.path / "link/film.mp4", {folders.all.path / "link/"}).value() == real + "/film.mp4");
  fs::create_symlink(folders.allowed / "film.mp4", folders.allowed / "inside.mp4");
  CHECK(folders.source(folders.allowed / "inside.mp4").value() == real + "/film.mp4");
}

TEST_CASE("what lies elsewhere is refused, with what is allowed") {
  const Folders folders;
  fs::create_symlink(folders.secret / "film.mp4", folders.allowed / "link.mp4");
  fs::create_symlink(folders.secret, folders.allowed / "folder");
  for (const auto& input :
       {folders.secret / "film.mp4", folders.allowed / "../secret/film.mp4", folders.allowed / "link.mp4",
        folders.allowed / "folder", folders.allowed / "folder/film.mp4", folders.allowed / "folder/f*.png",
        folders.allowed / "../secret/f%d.png", folders.all.path / "import-of-others/film.mp4", folders.all.path,
        fs::path("/etc/passwd")}) {
    INFO(input);
    CHECK(
        folders.refusal(input).find("is not below a directory from which this server imports; use a file or folder on "
                                    "the server's host, below " +
                                    folders.allowed.string()) != std::string::npos);
  }
}

TEST_CASE("addresses, test sources, relative and odd names are refused") {
  const Folders folders;
  for (const auto* input : {"http://example.org/film.mp4", "file:///etc/passwd", "lavfi:movie=/etc/passwd", "film.mp4",
                            "", "--out=/tmp", "-"})
    CHECK(folders.refusal(input).find("is not an absolute path") != std::string::npos);
  CHECK(folders.refusal(folders.allowed / "no-such.mp4").find("No such file") != std::string::npos);
  CHECK(folders.refusal(folders.allowed / "no-such/*.png").find("No such file") != std::string::npos);
  CHECK(folders.refusal(folders.allowed.string() + std::string("/film.mp4\0.png", 14)).find("zero byte") !=
        std::string::npos);
  // A pattern in a folder's name would be applied to other folders.
  fs::create_directories(folders.allowed / "sh*");
  CHECK(folders.refusal(folders.allowed / "sh*/shot-*.png").find("rename the folder") != std::string::npos);
  REQUIRE(::mkfifo((folders.allowed / "pipe").c_str(), 0600) == 0);
  CHECK(folders.refusal(folders.allowed / "pipe").find("neither a file nor a folder") != std::string::npos);
}

TEST_CASE("a directory that is missing allows nothing") {
  const Folders folders;
  const auto taken = import_source(folders.allowed / "film.mp4", {folders.all.path / "not-mounted"});
  CHECK_FALSE(taken.has_value());
}

TEST_CASE("the server's own visualizations are taken, and nothing else of its content") {
  const Folders folders;
  const auto content = folders.all.path / "content";
  fs::create_directories(content / "waves/below");
  fs::create_directories(content / "other");
  std::ofstream(content / "waves/visualization.json") << "{}";
  std::ofstream(content / "waves/below/visualization.json") << "{}";
  std::ofstream(folders.secret / "visualization.json") << "{}";
  fs::create_symlink(folders.secret, content / "link");
  fs::create_symlink(folders.secret / "visualization.json", content / "other/visualization.json");
  const auto taken = [&](const fs::path& input) {
    return import_source(input, {folders.allowed}, {folders.all.path / "not-mounted", content});
  };
  CHECK(taken(content / "waves").value() == fs::canonical(content / "waves").string());
  CHECK(taken(content / "waves/").has_value());
  CHECK(taken(folders.allowed / "film.mp4").has_value());
  for (const auto& input : {content, content / "waves/visualization.json", content / "waves/below", content / "other",
                            content / "link", folders.secret, content / "waves/tile-*.png"})
    CHECK(taken(input).has_error());
  CHECK(import_source(content / "waves", {folders.allowed}).has_error());
}
