#include "ingest/store_writer.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "common/store/growing.h"
#include "common/store/store_files.h"
#include "common/store/stripe_mark.h"
#include "ingest/frame_tiles.h"
#include "ingest/verify.h"
#include "tests/support/store_folder.h"

namespace {

namespace fs = std::filesystem;

lw::Manifest small_manifest() {
  lw::Manifest m;
  m.name = m.title = "waves";
  m.geometry = {2, 1, 10, 3, 0, 0};
  m.frame_rate = {30, 1};
  return m;
}

std::vector<std::byte> pixels_of(std::uint32_t frame, unsigned tile) {
  return std::vector<std::byte>(90, static_cast<std::byte>(frame * 2 + tile + 1));
}

void write_frames(lw::StoreWriter& writer, std::uint32_t until) {
  while (writer.frames() < until) {
    for (unsigned tile = 0; tile < 2; ++tile)
      REQUIRE(writer.write_tile({tile}, pixels_of(writer.frames(), tile)).has_value());
    REQUIRE(writer.end_frame().has_value());
  }
}

struct Disks {
  StoreFolder a, b;
  [[nodiscard]] std::vector<fs::path> both() const { return {a.path, b.path}; }
  [[nodiscard]] auto begin(bool overwrite = false, const std::string& recipe = "r") const {
    return lw::StoreWriter::begin(small_manifest(), both(), recipe, overwrite);
  }
  // A finished store of `frames`.
  void make(std::uint32_t frames) const {
    auto writer = begin();
    REQUIRE(writer.has_value());
    write_frames(**writer, frames);
    REQUIRE((*writer)->finish(small_manifest()).has_value());
  }
  [[nodiscard]] lw::Verification verified() const {
    const auto result = lw::verify(a.path / "waves", true, false);
    REQUIRE(result.has_value());
    return *result;
  }
};

}  // namespace

TEST_CASE("a finished store loads, verifies, and leaves nothing else behind") {
  const Disks disks;
  disks.make(5);
  const auto loaded = lw::load_store(disks.a.path / "waves");
  REQUIRE(loaded.has_value());
  CHECK(loaded->frame_count == 5);
  CHECK(loaded->stripes == std::vector<fs::path>{".", fs::canonical(disks.b.path) / "waves"});
  CHECK(disks.verified().frames == 10);
  CHECK(disks.verified().damaged == 0);
  for (const auto& disk : disks.both()) CHECK(std::distance(fs::directory_iterator(disk), {}) == 1);
}

TEST_CASE("a flipped bit is found in its frame and tile") {
  const Disks disks;
  disks.make(5);
  std::fstream file(disks.b.path / "waves/tile-1-0.npy", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4096 + 4096 + 44);
  file.put('\x7f');
  file.close();
  CHECK(disks.verified().damaged == 1);
}

TEST_CASE("a store that may play while it grows can be opened as far as it is, and keeps its id") {
  const Disks disks;
  const auto partial = disks.a.path / lw::growing_folder_name("waves");
  const auto open = [&] { return lw::open_store_files(partial); };
  std::string id;
  for (const std::uint32_t until : {3U, 7U}) {
    auto writer = disks.begin();
    REQUIRE(writer.has_value());
    CHECK((*writer)->resumed_frames() == (until == 7 ? 3 : 0));
    if (until == 3) REQUIRE((*writer)->let_play().has_value());
    write_frames(**writer, until);
    REQUIRE((*writer)->flush().has_value());
    const auto files = open();
    REQUIRE(files.has_value());
    CHECK(files->manifest.growing);
    CHECK(files->manifest.frame_count == until);
    if (id.empty()) id = files->manifest.id;
    CHECK(files->manifest.id == id);
    // Without what it names, it is not a store.
    fs::resize_file(disks.b.path / lw::growing_folder_name("waves") / "tile-0-0.npy", 4096);
    CHECK(open().has_error());
    fs::resize_file(disks.b.path / lw::growing_folder_name("waves") / "tile-0-0.npy", 4096 * 5);
    if (until == 7) REQUIRE((*writer)->finish(small_manifest()).has_value());
  }
  const auto finished = lw::load_manifest(disks.a.path / "waves");
  REQUIRE(finished.has_value());
  CHECK(finished->id == id);
  CHECK_FALSE(fs::exists(disks.a.path / "waves" / lw::growing_file_name));
}

TEST_CASE("an abandoned store leaves nothing") {
  const Disks disks;
  {
    auto writer = disks.begin();
    REQUIRE(writer.has_value());
    write_frames(**writer, 3);
  }
  for (const auto& disk : disks.both()) CHECK(fs::is_empty(disk));
}

TEST_CASE("an interrupted store continues where it stopped") {
  const Disks disks;
  {
    auto writer = disks.begin();
    write_frames(**writer, 3);
    REQUIRE((*writer)->interrupt().has_value());
  }
  CHECK_FALSE(fs::exists(disks.a.path / "waves"));

  SECTION("by the same command") {
    auto writer = disks.begin();
    REQUIRE(writer.has_value());
    CHECK((*writer)->resumed_frames() == 3);
    write_frames(**writer, 5);
    REQUIRE((*writer)->finish(small_manifest()).has_value());
    CHECK(disks.verified().damaged == 0);
    CHECK(disks.verified().frames == 10);
  }
  SECTION("and again, if that command fails before the next journal") {
    { write_frames(**disks.begin(), 4); }
    CHECK((*disks.begin())->resumed_frames() == 3);
  }
  SECTION("but not by another one") { CHECK((*disks.begin(false, "other"))->resumed_frames() == 0); }
  SECTION("nor onto other disks") {
    auto writer = lw::StoreWriter::begin(small_manifest(), {disks.a.path}, "r", false);
    REQUIRE(writer.has_value());
    CHECK((*writer)->resumed_frames() == 0);
  }
  SECTION("and a wrong command does not harm it") {
    CHECK(lw::StoreWriter::begin(small_manifest(), {disks.a.path, "/proc/nowhere"}, "r", false).has_error());
    CHECK(lw::StoreWriter::begin(small_manifest(), {disks.a.path, disks.a.path}, "r", false).has_error());
    CHECK((*disks.begin())->resumed_frames() == 3);
  }
  SECTION("unless its files are shorter than the journal says") {
    fs::resize_file(disks.b.path / ".waves.partial/tile-0-0.npy", 100);
    CHECK(disks.begin().has_error());
    CHECK((*disks.begin())->resumed_frames() == 0);
  }
}

TEST_CASE("a store that fails after its journal was written continues from there") {
  const Disks disks;
  {
    auto writer = disks.begin();
    write_frames(**writer, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds{1050});  // the journal is written once a second
    write_frames(**writer, 3);
    write_frames(**writer, 4);  // after the journal
  }
  CHECK((*disks.begin())->resumed_frames() == 3);
}

TEST_CASE("records that are aligned and padded are written as they are") {
  const Disks disks, copied;
  copied.make(3);
  auto writer = disks.begin();
  REQUIRE(writer.has_value());
  auto frame = lw::FrameTiles::allocate((*writer)->layout(), 2);
  while ((*writer)->frames() < 3) {
    for (unsigned tile = 0; tile < 2; ++tile) {
      const auto pixels = pixels_of((*writer)->frames(), tile);
      std::ranges::copy(pixels, frame->pixels({tile}).begin());
      REQUIRE((*writer)->write_tile({tile}, frame->record({tile}), lw::checksum(pixels)).has_value());
    }
    REQUIRE((*writer)->end_frame().has_value());
  }
  REQUIRE((*writer)->finish(small_manifest()).has_value());
  CHECK(disks.verified().damaged == 0);
  const auto bytes = [](const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  for (const auto* file : {"waves/tile-0-0.npy", "waves/tile-1-0.npy", "waves/checksums.npy"})
    CHECK(bytes(disks.a.path / file) == bytes(copied.a.path / file));
}

TEST_CASE("a partial folder that is a link is not continued, and its target is kept") {
  const Disks disks;
  const StoreFolder elsewhere;
  std::ofstream(elsewhere.path / "precious") << "precious";
  const auto& disk = GENERATE(0, 1) == 0 ? disks.a : disks.b;
  fs::create_directory_symlink(elsewhere.path, disk.path / ".waves.partial");
  const auto begun = disks.begin();
  REQUIRE(begun.has_error());
  CHECK(begun.error().what.find("link") != std::string::npos);
  CHECK(fs::exists(elsewhere.path / "precious"));
}

TEST_CASE("each store has its own id, and its mark in every stripe folder") {
  const Disks disks;
  disks.make(2);
  const auto first = lw::load_store(disks.a.path / "waves");
  REQUIRE(first.has_value());
  for (unsigned stripe = 0; stripe < 2; ++stripe) {
    const auto folder = disks.both()[stripe] / "waves";
    const auto open = lw::open_folder(folder, "");
    REQUIRE(open.has_value());
    const auto mark = lw::read_stripe_mark({open->get(), folder, ""});
    REQUIRE(mark.has_value());
    CHECK(*mark == lw::StripeMark{first->id, fs::canonical(disks.a.path) / "waves", stripe});
  }
  auto writer = disks.begin(true);
  write_frames(**writer, 2);
  REQUIRE((*writer)->finish(small_manifest()).has_value());
  CHECK(lw::load_store(disks.a.path / "waves")->id != first->id);
}

TEST_CASE("only one ingest at a time writes a store") {
  const Disks disks;
  auto first = disks.begin();
  REQUIRE(first.has_value());
  const auto second = disks.begin();
  REQUIRE(second.has_error());
  CHECK(second.error().what.find("another") != std::string::npos);
  write_frames(**first, 1);
  CHECK((*first)->finish(small_manifest()).has_value());
}

TEST_CASE("an existing store is only replaced on request, and only by a complete store") {
  const Disks disks;
  disks.make(2);
  CHECK(disks.begin().has_error());
  auto writer = disks.begin(true);
  REQUIRE(writer.has_value());
  write_frames(**writer, 4);
  CHECK(lw::load_store(disks.a.path / "waves")->frame_count == 2);
  REQUIRE((*writer)->finish(small_manifest()).has_value());
  CHECK(lw::load_store(disks.a.path / "waves")->frame_count == 4);
  CHECK(disks.verified().damaged == 0);
}

TEST_CASE("a replaced store leaves no stripe behind on a disk that is no longer used") {
  const Disks disks;
  disks.make(2);
  auto writer = lw::StoreWriter::begin(small_manifest(), {disks.a.path}, "r", true);
  REQUIRE(writer.has_value());
  write_frames(**writer, 1);
  REQUIRE((*writer)->finish(small_manifest()).has_value());
  CHECK(fs::is_empty(disks.b.path));
}

TEST_CASE("other people's files are never overwritten") {
  const Disks disks;
  fs::create_directory(disks.b.path / "waves");
  std::ofstream(disks.b.path / "waves/thesis.tex") << "x";
  const auto refused = disks.begin(true);
  REQUIRE(refused.has_error());
  CHECK(refused.error().what.find("do not belong") != std::string::npos);
  CHECK(fs::exists(disks.b.path / "waves/thesis.tex"));
}

TEST_CASE("a store that does not fit on the disk is refused with the numbers") {
  const Disks disks;
  auto writer = disks.begin();
  CHECK((*writer)->check_space(10).has_value());
  const auto full = (*writer)->check_space(2'000'000'000);
  REQUIRE(full.has_error());
  CHECK(full.error().what.find("TB needed") != std::string::npos);
}

TEST_CASE("a part of a visualization has its own tiles' files and all tiles' checksums") {
  const Disks disks, complete;
  complete.make(5);
  auto part = small_manifest();
  part.tiles = {{1}};
  const auto begin = [&](const lw::Manifest& manifest) {
    return lw::StoreWriter::begin(manifest, disks.both(), "r", false);
  };
  {
    auto writer = begin(part);
    REQUIRE(writer.has_value());
    write_frames(**writer, 3);
    REQUIRE((*writer)->interrupt().has_value());
  }
  SECTION("it continues, and becomes a store of version 2") {
    auto writer = begin(part);
    REQUIRE(writer.has_value());
    CHECK((*writer)->resumed_frames() == 3);
    write_frames(**writer, 5);
    REQUIRE((*writer)->finish(small_manifest()).has_value());
    const auto loaded = lw::load_store(disks.a.path / "waves");
    REQUIRE(loaded.has_value());
    CHECK(loaded->tiles == part.tiles);
    CHECK_FALSE(fs::exists(disks.a.path / "waves/tile-0-0.npy"));
    CHECK(disks.verified().frames == 5);
    CHECK(disks.verified().damaged == 0);
    const auto bytes = [](const fs::path& file) {
      std::ifstream stream(file, std::ios::binary);
      return std::string(std::istreambuf_iterator<char>(stream), {});
    };
    for (const auto* file : {"waves/tile-1-0.npy", "waves/checksums.npy"})
      CHECK(bytes(disks.a.path / file) == bytes(complete.a.path / file));
    CHECK(bytes(disks.b.path / "waves/tile-1-0.npy") == bytes(complete.b.path / "waves/tile-1-0.npy"));
  }
  SECTION("an import of other tiles does not continue it") { CHECK((*begin(small_manifest()))->resumed_frames() == 0); }
}

namespace {

lw::Manifest with_copies() {
  auto m = small_manifest();
  m.copies = 2;
  return m;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void flip_bit(const fs::path& path, int at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(at);
  const auto was = static_cast<char>(file.get());
  file.seekp(at);
  file.put(static_cast<char>(was ^ 1));
}

}  // namespace

TEST_CASE("with two copies, the next disk has each stripe file once more, byte for byte") {
  const StoreFolder a, b, c;
  const std::vector<fs::path> disks{a.path, b.path, c.path};
  {
    auto writer = lw::StoreWriter::begin(with_copies(), disks, "r", false);
    REQUIRE(writer.has_value());
    write_frames(**writer, 2);
    REQUIRE((*writer)->interrupt().has_value());
  }
  auto writer = lw::StoreWriter::begin(with_copies(), disks, "r", false);
  REQUIRE(writer.has_value());
  REQUIRE((*writer)->resumed_frames() == 2);
  write_frames(**writer, 8);
  REQUIRE((*writer)->finish(small_manifest()).has_value());
  const auto loaded = lw::load_store(a.path / "waves");
  REQUIRE(loaded.has_value());
  CHECK(loaded->copies == 2);
  const lw::StripeLayout layout(*loaded);
  for (unsigned stripe = 0; stripe < 3; ++stripe) {
    std::uint64_t bytes = 0;
    for (const auto* name : {"tile-0-0", "tile-1-0"}) {
      const auto file = disks[stripe] / "waves" / (std::string(name) + ".npy");
      CHECK(fs::file_size(file) > 4096);
      CHECK(bytes_of(file) == bytes_of(disks[(stripe + 1) % 3] / "waves" / (std::string(name) + ".copy.npy")));
    }
    for (const auto& entry : fs::directory_iterator(disks[stripe] / "waves"))
      if (entry.path().filename().string().starts_with("tile-")) bytes += entry.file_size();
    CHECK(bytes == layout.directory_bytes(stripe, {0}) + layout.directory_bytes(stripe, {1}));
  }
  const auto good = lw::verify(a.path / "waves", true, false);
  REQUIRE(good.has_value());
  CHECK(good->frames == 32);
  CHECK(good->damaged == 0);

  SECTION("and --verify finds a flipped bit in either") {
    flip_bit(b.path / "waves/tile-0-0.copy.npy", 4096 + 44);
    CHECK(lw::verify(a.path / "waves", true, false)->damaged == 1);
    flip_bit(c.path / "waves/tile-1-0.npy", 4096 + 44);
    CHECK(lw::verify(a.path / "waves", true, false)->damaged == 2);
  }
  SECTION("and --verify reads a store of which a disk is missing, and counts its frames") {
    fs::remove_all(c.path / "waves");
    const auto result = lw::verify(a.path / "waves", true, false);
    REQUIRE(result.has_value());
    CHECK(result->frames == 32);
    CHECK(result->damaged == 11);  // a third of 16, and the copies of another third
  }
  SECTION("and another store takes their places") {
    auto again = lw::StoreWriter::begin(small_manifest(), disks, "r", true);
    REQUIRE(again.has_value());
    write_frames(**again, 2);
    REQUIRE((*again)->finish(small_manifest()).has_value());
    for (const auto& disk : disks) CHECK_FALSE(fs::exists(disk / "waves/tile-0-0.copy.npy"));
  }
}

TEST_CASE("a store without copies does not continue as one with copies, nor the other way round") {
  const Disks disks;
  {
    auto writer = disks.begin();
    write_frames(**writer, 3);
    REQUIRE((*writer)->interrupt().has_value());
  }
  auto writer = lw::StoreWriter::begin(with_copies(), disks.both(), "r", false);
  REQUIRE(writer.has_value());
  CHECK((*writer)->resumed_frames() == 0);
}

TEST_CASE("shards write both copies, and the join checks both") {
  const Disks disks;
  for (unsigned number = 1; number <= 2; ++number) {
    auto writer = lw::StoreWriter::begin_shard(with_copies(), disks.both(), "r", false, {number, 2}, (number - 1) * 3);
    REQUIRE(writer.has_value());
    while ((*writer)->frames() < 3) {
      for (unsigned tile = 0; tile < 2; ++tile)
        REQUIRE((*writer)->write_tile({tile}, pixels_of((number - 1) * 3 + (*writer)->frames(), tile)).has_value());
      REQUIRE((*writer)->end_frame().has_value());
    }
    REQUIRE((*writer)->finish_shard().has_value());
  }
  if (GENERATE(false, true)) flip_bit(disks.a.path / ".waves.partial/tile-0-0.copy.npy", 4096 + 3);
  const bool damaged = bytes_of(disks.a.path / ".waves.partial/tile-0-0.copy.npy") !=
                       bytes_of(disks.b.path / ".waves.partial/tile-0-0.npy");
  auto joined = lw::StoreWriter::join(with_copies(), disks.both(), "r", false);
  REQUIRE(joined.has_value());
  std::vector<std::byte> buffer(4096);
  unsigned bad = 0;
  for (std::uint32_t frame = 0; frame < 6; ++frame)
    for (unsigned tile = 0; tile < 2; ++tile) bad += (*joined)->check_tile(frame, {tile}, buffer).has_value() ? 0 : 1;
  CHECK(bad == (damaged ? 1 : 0));
  if (damaged) return;
  REQUIRE((*joined)->finish(small_manifest()).has_value());
  CHECK(disks.verified().damaged == 0);
}
