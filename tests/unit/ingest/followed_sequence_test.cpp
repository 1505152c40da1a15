#include "ingest/followed_sequence.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "ingest/ingest.h"
#include "tests/support/store_folder.h"

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
const std::atomic<bool> goes_on{false};

std::string image_text(unsigned frame) {
  std::string text = "P6\n16 8\n255\n";
  for (unsigned i = 0; i < 16 * 8 * 3; ++i) text += static_cast<char>(i * 3 + frame * 11);
  return text;
}

void write_image(const fs::path& folder, unsigned number, double share = 1) {
  const auto text = image_text(number);
  std::ofstream(folder / fmt::format("f{:03}.ppm", number), std::ios::binary)
      << text.substr(0, static_cast<std::size_t>(static_cast<double>(text.size()) * share));
}

lw::Following following(const fs::path& folder, double patience) {
  return {(folder / "f%03d.ppm").string(), std::chrono::duration<double>(patience), {}, false, 200ms};
}

std::string file_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

struct Rendering {
  StoreFolder folder;
  fs::path images = folder.path / "in";
  lw::Wall wall;
  lw::IngestOptions options;
  Rendering() {
    fs::create_directory(images);
    wall.set_grid({.columns = 2, .rows = 1, .tile_width = 8, .tile_height = 8});
    wall.frame_rate = {30, 1};
    options.input = (images / "f%03d.ppm").string();
    options.out = {folder.path / "out"};
    options.create = true;
    options.name = "x";
    options.json = true;
    options.threads = 3;
    options.follow = 300;
    options.last = 14;
  }
  // The same when all images are there.
  void check_frames() {
    auto later = options;
    later.follow.reset();
    later.last.reset();
    later.out = {folder.path / "later"};
    REQUIRE(lw::ingest(later, wall, goes_on)->frames == 12);
    for (const char* name : {"tile-0-0.npy", "tile-1-0.npy", "checksums.npy"})
      CHECK(file_text(folder.path / "out/x" / name) == file_text(folder.path / "later/x" / name));
  }
};

}  // namespace

TEST_CASE("a sequence that has been rendered ends when no image comes") {
  const StoreFolder folder;
  for (unsigned number = 7; number < 12; ++number) write_image(folder.path, number);
  const auto sequence = lw::FollowedSequence::open(following(folder.path, 0.5), goes_on);
  REQUIRE(sequence.has_value());
  CHECK_FALSE((*sequence)->count().has_value());
  for (unsigned index = 0; index < 5; ++index)
    CHECK((*sequence)->wait_for(index).value()->file == folder.path / fmt::format("f{:03}.ppm", index + 7));
  CHECK_FALSE((*sequence)->wait_for(5).value().has_value());
}

TEST_CASE("an image that is missing among others, or before the last, is an error that names it") {
  const StoreFolder folder;
  for (const unsigned number : {0U, 2U}) write_image(folder.path, number);
  auto wanted = following(folder.path, 0.5);
  const auto gap = lw::FollowedSequence::open(wanted, goes_on);
  const auto missing = (*gap)->wait_for(1);
  REQUIRE(missing.has_error());
  CHECK(missing.error().what.find("f001.ppm is missing") != std::string::npos);
  CHECK_FALSE((*gap)->wait_for(3).value().has_value());
  wanted.last = 4;
  const auto known = lw::FollowedSequence::open(wanted, goes_on);
  CHECK((*known)->count() == 5U);
  CHECK((*known)->wait_for(3).has_error());
  CHECK_FALSE((*known)->wait_for(5).value().has_value());
  std::ofstream(folder.path / "f003.ppm").flush();
  const auto empty = (*gap)->wait_for(3);
  REQUIRE(empty.has_error());
  CHECK(empty.error().what.find("f003.ppm is not complete") != std::string::npos);
}

TEST_CASE("waiting for images ends when it is stopped or cancelled, and without any image") {
  const StoreFolder folder;
  CHECK(lw::FollowedSequence::open(following(folder.path, 0.3), goes_on).has_error());
  write_image(folder.path, 0);
  std::atomic<bool> stop{false};
  const auto sequence = lw::FollowedSequence::open(following(folder.path, 1e6), stop).value();
  const bool by_signal = GENERATE(true, false);
  const std::jthread ender([&] {
    std::this_thread::sleep_for(100ms);
    by_signal ? stop = true : (sequence->cancel(), true);
  });
  CHECK_FALSE(sequence->wait_for(1).value().has_value());
}

TEST_CASE("links to other folders are not followed") {
  const StoreFolder folder;
  fs::create_directory(folder.path / "in");
  write_image(folder.path, 0);
  fs::create_symlink(folder.path / "f000.ppm", folder.path / "in/f000.ppm");
  auto wanted = following(folder.path / "in", 1);
  CHECK((*lw::FollowedSequence::open(wanted, goes_on))->wait_for(0).has_error());
  wanted.follow_links = true;
  CHECK((*lw::FollowedSequence::open(wanted, goes_on))->wait_for(0).has_value());
}

TEST_CASE("images are imported while they are rendered, in any order and in pieces") {
  Rendering rendering;
  write_image(rendering.images, 3);
  const std::jthread renderer([&] {
    std::this_thread::sleep_for(300ms);
    for (const unsigned number : {5U, 4U, 6U, 7U, 9U, 8U}) write_image(rendering.images, number);
    write_image(rendering.images, 10, 0.5);  // for longer than an image may stay unchanged
    std::this_thread::sleep_for(3s);
    for (unsigned number = 10; number <= 14; ++number) write_image(rendering.images, number);
  });
  const auto made = lw::ingest(rendering.options, rendering.wall, goes_on);
  REQUIRE(made.has_value());
  CHECK(made->frames == 12);
  rendering.check_frames();
}

TEST_CASE("an import that waits for images is stopped at once, and continues") {
  Rendering rendering;
  for (unsigned number = 3; number <= 8; ++number) write_image(rendering.images, number);
  std::atomic<bool> stop{false};
  {
    const std::jthread user([&] {
      std::this_thread::sleep_for(5s);
      stop = true;
    });
    const auto first = lw::ingest(rendering.options, rendering.wall, stop);
    REQUIRE(first.has_value());
    CHECK(first->interrupted);
    CHECK(first->frames <= 6);
  }
  for (unsigned number = 9; number <= 14; ++number) write_image(rendering.images, number);
  const auto second = lw::ingest(rendering.options, rendering.wall, goes_on);
  REQUIRE(second.has_value());
  CHECK(second->frames == 12);
  rendering.check_frames();
}

TEST_CASE("an import ends with as many images as are wanted, although more may come") {
  Rendering rendering;
  for (unsigned number = 3; number <= 8; ++number) write_image(rendering.images, number);
  rendering.options.frames_max = 4;
  rendering.options.last.reset();
  CHECK(lw::ingest(rendering.options, rendering.wall, goes_on)->frames == 4);
}
