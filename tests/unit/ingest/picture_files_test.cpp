#include "ingest/picture_files.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>

#include "ingest/media_source.h"
#include "tests/support/store_folder.h"

namespace {

std::vector<std::string> names(const lw::Result<std::vector<std::filesystem::path>>& files) {
  std::vector<std::string> result;
  if (files)
    for (const auto& file : *files) result.push_back(file.filename().string());
  return result;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("numbers in names are ordered as numbers") {
  CHECK(lw::natural_less("frame9.png", "frame10.png"));
  CHECK_FALSE(lw::natural_less("frame10.png", "frame9.png"));
  CHECK(lw::natural_less("a2b10", "a2b11"));
  CHECK(lw::natural_less("a", "a1"));
  CHECK(lw::natural_less("shot1-9", "shot2-1"));
  CHECK(lw::natural_less("0009", "10"));
  CHECK_FALSE(lw::natural_less("same7", "same7"));
  CHECK(lw::natural_less("1", "01") != lw::natural_less("01", "1"));
}

TEST_CASE("the order of names is a strict one") {
  const Names all{"a", "a1", "a01", "a001b", "a1b", "b", "1", "01", "10", "9", "", "a10", "a9", "a-1"};
  for (const auto& x : all)
    for (const auto& y : all) {
      CAPTURE(x, y);
      CHECK_FALSE((lw::natural_less(x, y) && lw::natural_less(y, x)));
      CHECK((x == y || lw::natural_less(x, y) || lw::natural_less(y, x)));
      for (const auto& z : all)
        if (lw::natural_less(x, y) && lw::natural_less(y, z)) CHECK(lw::natural_less(x, z));
    }
}

TEST_CASE("a folder, a numbered and a shell pattern give images in order") {
  const StoreFolder folder;
  for (const char* name : {"f10.png", "f9.png", "f1.PNG", "notes.txt", ".f3.png", "g11.png"})
    std::ofstream(folder.path / name) << "x";
  CHECK(names(lw::pictures_in(folder.path)) == Names{"f1.PNG", "f9.png", "f10.png", "g11.png"});
  CHECK(names(lw::matching_pictures((folder.path / "f*").string())) == Names{"f1.PNG", "f9.png", "f10.png"});
  CHECK(names(lw::numbered_pictures((folder.path / "f%d.png").string())) == Names{"f9.png", "f10.png"});
}

TEST_CASE("without an image, the error says so") {
  const StoreFolder folder;
  CHECK(lw::pictures_in(folder.path).error().what.find("no images") != std::string::npos);
  CHECK(lw::pictures_in(folder.path / "absent").has_error());
  CHECK(lw::matching_pictures((folder.path / "*.png").string()).has_error());
  CHECK(lw::numbered_pictures((folder.path / "%05d.png").string()).has_error());
  CHECK(lw::numbered_pictures((folder.path / "100%.png").string()).has_error());
}

TEST_CASE("a sequence holds the files in its folder, and nothing that links point to") {
  const StoreFolder folder;
  const StoreFolder secrets;
  std::ofstream(secrets.path / "secret.png") << "x";
  std::ofstream(folder.path / "f1.png") << "x";
  std::filesystem::create_symlink("f1.png", folder.path / "f2.png");
  CHECK(names(lw::without_links(lw::pictures_in(folder.path).value())) == Names{"f1.png", "f2.png"});
  std::filesystem::create_symlink(secrets.path / "secret.png", folder.path / "f3.png");
  const auto refused = lw::without_links(lw::matching_pictures((folder.path / "*.png").string()).value());
  REQUIRE(refused.has_error());
  CHECK(refused.error().text().find("f3.png is a link to") != std::string::npos);
  CHECK(refused.error().text().find("--follow-links") != std::string::npos);
  const auto source = lw::MediaSource::open(folder.path.string());
  CHECK(source.has_error());
  CHECK(lw::MediaSource::open(folder.path.string(), true).has_value());
  CHECK(lw::MediaSource::open((folder.path / "f3.png").string()).has_value());  // the file itself is named
}

TEST_CASE("only files belong to a sequence") {
  const StoreFolder folder;
  std::filesystem::create_directory(folder.path / "f1.png");
  CHECK(lw::without_links(lw::numbered_pictures((folder.path / "f%d.png").string()).value()).has_error());
}

TEST_CASE("visualizations are named after their input") {
  CHECK(lw::default_name("/films/My film (cut).mov") == "My-film-cut");
  CHECK(lw::default_name("/films/shot/") == "shot");
  CHECK(lw::default_name("/films/shot/%05d.png") == "shot");
  CHECK(lw::default_name("/films/shot/*.png") == "shot");
  CHECK(lw::default_name("lavfi:testsrc2=size=64x64") == "testsrc2");
  CHECK(lw::default_name("..") == "visualization");
}
