// Pins the editions of a store that grows: who has more frames can say whether they begin with the same ones.
#include "common/store/growing.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <random>
#include <vector>

#include "tests/support/store_folder.h"

using namespace lw;

namespace {

Manifest small_manifest() {
  Manifest m;
  m.title = "waves";
  m.id = std::string(32, 'a');
  m.geometry = {2, 1, 10, 3, 0, 0};
  m.frame_rate = {30, 1};
  m.frame_count = 3;
  m.stripes = {"."};
  m.checksums = growing_checksums_name;
  return m;
}

Beneath beneath(const Descriptor& open, const std::filesystem::path& folder) { return {open.get(), folder, "mend"}; }

}  // namespace

TEST_CASE("an edition's digest is that of all stores that begin with the same frames, and of no other") {
  std::mt19937_64 chance(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint64_t> sums(2 * (1 + chance() % 40));
    for (auto& sum : sums) sum = chance();
    GrowingEditions one(small_manifest()), other(small_manifest());
    one.add(sums);
    // However they came, and with one that differs.
    const auto cut = 2 * (chance() % (sums.size() / 2 + 1));
    other.add(std::span(sums).first(cut));
    other.add(std::span(sums).subspan(cut));
    const auto changed = chance() % sums.size();
    auto wrong_sums = sums;
    wrong_sums[changed] ^= 1;
    GrowingEditions wrong(small_manifest());
    wrong.add(wrong_sums);
    for (std::uint32_t frames = 0; frames <= one.frames(); ++frames) {
      const auto digest = one.digest(frames);
      CHECK(GrowingEditions::frames_of(digest) == frames);
      CHECK(other.begins_with(digest) == true);
      CHECK(wrong.begins_with(digest) == (frames <= changed / 2));
    }
    GrowingEditions behind(small_manifest());
    CHECK(behind.begins_with(one.digest(one.frames())) == std::nullopt);
  }
  auto slower = small_manifest();
  slower.frame_rate = {25, 1};
  CHECK(GrowingEditions(slower).begins_with(GrowingEditions(small_manifest()).digest(0)) == false);
  for (const auto* text : {"", "+", "1+", "1+0123456789abcde", "x+0123456789abcdef", "-1+0123456789abcdef",
                           "4294967295+0123456789abcdef", "0123456789abcdef"}) {
    CHECK(GrowingEditions::frames_of(text) == std::nullopt);
    CHECK(GrowingEditions(small_manifest()).begins_with(text) == false);
  }
}

TEST_CASE("the checksums of a growing store are read when they are there, and never beyond the file's end") {
  const StoreFolder folder;
  const auto open = open_folder(folder.path, "mend").value();
  std::vector<std::uint64_t> sums{1, 2, 3, 4, 5, 6};
  GrowingEditions all(small_manifest()), read(small_manifest());
  all.add(sums);
  CHECK(read.read(beneath(open, folder.path), 1).has_error());
  std::ofstream file(folder.path / growing_checksums_name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(sums.data()), 20).flush();
  CHECK(read.read(beneath(open, folder.path), 1).has_value());
  CHECK(read.digest(1) == all.digest(1));
  CHECK(read.read(beneath(open, folder.path), 2).has_error());
  file.write(reinterpret_cast<const char*>(sums.data()) + 20, 28).flush();
  CHECK(read.read(beneath(open, folder.path), 3).has_value());
  CHECK(read.digest(3) == all.digest(3));
}

TEST_CASE("the mark of a growing store is a manifest without sound; its folder names it") {
  const StoreFolder folder;
  const auto partial = folder.path / growing_folder_name("waves");
  CHECK(name_of_growing(partial.filename().string()) == "waves");
  for (const auto* name : {"", ".", ".partial", "..partial", "waves", ".waves", "waves.partial"})
    CHECK(name_of_growing(name).empty());
  std::filesystem::create_directory(partial);
  const auto open = open_folder(partial, "mend").value();
  CHECK(load_growing(beneath(open, partial)).has_error());
  const auto write = [&](const Manifest& manifest) {
    std::ofstream(partial / growing_file_name) << to_json_text(manifest);
  };
  write(small_manifest());
  const auto read = load_growing(beneath(open, partial));
  REQUIRE(read.has_value());
  CHECK(read->growing);
  CHECK(read->name == "waves");
  CHECK(read->frame_count == 3);
  auto other = small_manifest();
  other.checksums = "checksums.npy";
  write(other);
  CHECK(load_growing(beneath(open, partial)).has_error());
  other = small_manifest();
  other.audio = SoundTrack{"audio.npy", 2};
  write(other);
  CHECK(load_growing(beneath(open, partial)).has_error());
  std::ofstream(partial / growing_file_name) << "{";
  CHECK(load_growing(beneath(open, partial)).has_error());
}
