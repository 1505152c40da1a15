// The law of opened stores: whatever replaces a store's files at any moment, nothing waits or crashes, and every frame
// read without an error is what its file held when it was checked. The seed determines what is done to the files, when,
// and what is read.
#include "common/store/stripe_layout.h"
#include "common/store/stripe_mark.h"
#include "server/play/library.h"
#include "server/read/stripe_reader.h"
#include "tests/support/store_folder.h"

#include <catch2/catch.hpp>

#include <sys/stat.h>

#include <array>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>

using namespace lw;
namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds wait_max{60'000};
const Grid wall{2, 1, 16, 4, 0, 0};
const Grid wider{3, 2, 32, 8, 0, 0};

using Bytes = std::vector<char>;

Bytes content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const Bytes& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// A store on two disks, and everything that people and programs do to it.
class Vandal {
public:
  explicit Vandal(unsigned seed) : random_(seed) { replace(); }

  fs::path folder() const { return content.path / "waves"; }
  fs::path other_disk() const { return disk.path / "waves"; }

  void strike() {
    static const std::array<void (Vandal::*)(), 10> deeds{
        &Vandal::replace,   &Vandal::replace,  &Vandal::replace_stripes, &Vandal::overwrite, &Vandal::truncate,
        &Vandal::swap_tile, &Vandal::put_link, &Vandal::put_pipe,        &Vandal::remove,    &Vandal::break_manifest};
    (this->*deeds[pick(deeds.size())])();
  }
  // Like wall-ingest: the manifest is removed before the stripes, and returns last.
  void replace() {
    const auto m = next_manifest();
    std::error_code none;
    fs::remove_all(content.path / ".waves.old", none);
    fs::rename(folder(), content.path / ".waves.old", none);
    write_stripe(other_disk(), m, 1);
    write_stripe(content.path / ".waves.partial", m, 0);
    std::ofstream(content.path / ".waves.partial" / manifest_file_name) << to_json_text(m);
    fs::rename(content.path / ".waves.partial", folder());
    mixed = false;
  }
  unsigned pick(std::size_t count) {
    return static_cast<unsigned>(std::uniform_int_distribution<std::size_t>(0, count - 1)(random_));
  }

  StoreFolder content, disk;
  bool mixed = false;  // files of one store were overwritten, so that an id says nothing about them

private:
  Manifest next_manifest() {
    ++version_;
    Manifest m;
    m.title = std::to_string(version_);
    m.geometry = pick(4) == 0 ? wider : wall;
    m.pixel_format = pick(4) == 0 ? PixelFormat::ycbcr422_8 : PixelFormat::rgb8;
    m.frame_rate = {30, 1};
    m.frame_count = 3 + pick(6);
    m.stripes = {".", other_disk()};
    if (pick(3) > 0) m.id = fmt_id(version_);
    return m;
  }
  static std::string fmt_id(unsigned version) {
    auto text = std::to_string(version);
    return std::string(store_id_digits - text.size(), '0') + text;
  }
  Bytes stripe_bytes(const Manifest& m, unsigned stripe, unsigned tile) const {
    const StripeLayout layout(m);
    const auto header = npy_header({layout.records_in(stripe, {tile}), m.geometry.tile_height,
                                    row_bytes(m.pixel_format, m.geometry.tile_width),
                                    layout.record_bytes({tile}) - layout.frame_bytes({tile})});
    Bytes bytes(header.begin(), header.end());
    std::minstd_rand noise(version_ * 7919 + stripe * 31 + tile);
    bytes.resize(layout.file_bytes(stripe, {tile}));
    for (auto i = header.size(); i < bytes.size(); i += 8) {
      const auto number = static_cast<std::uint32_t>(noise());
      std::memcpy(&bytes[i], &number, sizeof(number));
      std::memcpy(&bytes[i + 4], &version_, sizeof(version_));
    }
    return bytes;
  }
  void write_stripe(const fs::path& to, const Manifest& m, unsigned stripe) const {
    std::error_code none;
    fs::remove_all(to, none);
    fs::create_directories(to);
    for (unsigned tile = 0; tile < m.geometry.tile_count(); ++tile)
      write(to / stripe_file_name(m, {tile}), stripe_bytes(m, stripe, tile));
    if (!m.id.empty()) std::ofstream(to / stripe_mark_name) << to_json_text(StripeMark{m.id, folder(), stripe});
  }
  fs::path any_file() {
    const auto& in = pick(2) == 0 ? folder() : other_disk();
    return in / (wall.name({pick(2)}) + ".npy");
  }
  // The stripes of one disk become those of another store, under the existing manifest.
  void replace_stripes() {
    const auto m = next_manifest();
    write_stripe(other_disk(), m, 1);
    if (m.id.empty()) mixed = true;
  }
  // In place: the file stays the one that may be open.
  void overwrite() {
    const auto file = any_file();
    if (!fs::is_regular_file(fs::symlink_status(file))) return;
    auto bytes = content_of(file);
    if (bytes.size() <= store_alignment) return;
    ++version_;
    const auto from = store_alignment + pick(bytes.size() - store_alignment);
    for (auto i = from; i < bytes.size(); ++i) bytes[i] = static_cast<char>(version_ + i);
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    mixed = true;
  }
  void truncate() {
    const auto file = any_file();
    std::error_code none;
    const auto size = fs::file_size(file, none);
    if (!none && fs::is_regular_file(fs::symlink_status(file))) fs::resize_file(file, pick(size + 1), none);
    mixed = true;
  }
  void swap_tile() {
    const auto file = any_file();
    const auto m = next_manifest();
    std::error_code none;
    write(content.path / "new.npy", stripe_bytes(m, 0, 0));
    fs::rename(content.path / "new.npy", file, none);
    mixed = true;
  }
  void put_link() {
    const auto file = pick(3) == 0 ? folder() / manifest_file_name : any_file();
    std::error_code none;
    fs::rename(file, disk.path / "elsewhere", none);
    fs::create_symlink(disk.path / "elsewhere", file, none);
  }
  void put_pipe() {
    const auto file = pick(3) == 0 ? folder() / manifest_file_name : any_file();
    std::error_code none;
    fs::remove(file, none);
    ::mkfifo(file.c_str(), 0600);
  }
  void remove() {
    std::error_code none;
    fs::remove_all(pick(3) == 0 ? other_disk() : any_file(), none);
  }
  void break_manifest() {
    std::error_code none;
    const auto file = folder() / manifest_file_name;
    if (fs::is_regular_file(fs::symlink_status(file, none))) fs::resize_file(file, pick(fs::file_size(file) + 1), none);
  }

  std::minstd_rand random_;
  std::uint32_t version_ = 0;
};

// The contents of an opened store's files at that time.
struct Held {
  std::shared_ptr<const OpenStore> store;
  std::map<fs::path, Bytes> files;
};

struct Read {
  std::shared_ptr<const OpenStore> store;
  Bytes expected;
};

struct Reading {
  std::unique_ptr<FramePool> pool = FramePool::allocate(32, 32 * 8 * 3).value();
  std::array<std::span<std::byte>, 1> memory{pool->memory()};
  std::unique_ptr<StripeReader> reader = StripeReader::create(32, {}, memory);
  std::map<FrameBuffer*, Read> asked;
  std::size_t whole = 0, failed = 0;

  void ask(const Held& held, std::uint32_t frame, unsigned tile) {
    FrameBuffer* buffer = pool->take();
    REQUIRE(buffer != nullptr);
    const auto extent = held.store->locate(frame, {tile});
    const auto& file = held.files.at(held.store->file_of(frame, {tile}));
    const auto from = file.begin() + static_cast<std::ptrdiff_t>(extent.offset);
    asked[buffer] = {held.store, Bytes(from, from + static_cast<std::ptrdiff_t>(extent.needed))};
    REQUIRE(reader->start(extent, *buffer));
  }
  void collect() {
    std::array<ReadDone, 8> done;
    while (!asked.empty()) {
      const auto count = reader->wait(done, wait_max);
      REQUIRE(count > 0);
      for (std::size_t i = 0; i < count; ++i) {
        const auto found = asked.find(done[i].buffer);
        REQUIRE(found != asked.end());
        const auto& expected = found->second.expected;
        if (done[i].error == 0) {
          ++whole;
          REQUIRE(std::memcmp(done[i].buffer->data, expected.data(), expected.size()) == 0);
        } else {
          ++failed;
        }
        done[i].buffer->release();
        asked.erase(found);
      }
    }
  }
};

// All opened files, as they are at this moment.
Held hold(std::shared_ptr<const OpenStore> store) {
  Held held{std::move(store), {}};
  const auto& m = held.store->manifest();
  for (std::uint32_t frame = 0; frame < m.frame_count; ++frame)
    for (unsigned tile = 0; tile < m.geometry.tile_count(); ++tile) {
      const auto& file = held.store->file_of(frame, {tile});
      if (!held.files.contains(file)) held.files[file] = content_of(file);
    }
  return held;
}

// With an id, all stripes belong to the same store; the version is in every frame.
void check_one_store(const Held& held) {
  std::optional<std::uint32_t> version;
  for (const auto& [file, bytes] : held.files) {
    std::uint32_t here = 0;
    std::memcpy(&here, &bytes[store_alignment + 4], sizeof(here));
    INFO(file << " has frames of version " << here);
    REQUIRE(here == version.value_or(here));
    version = here;
  }
}

Result<void> for_wall(const Manifest& m) {
  if (m.geometry == wall) return {};
  return Error{"made for another wall", ""};
}

}  // namespace

TEST_CASE("whatever happens to a store's files, reads return what was checked") {
  const unsigned first_seed = GENERATE(range(1U, 9U));
  INFO("seed " << first_seed);
  Vandal vandal(first_seed);
  Library library({vandal.content.path});
  library.scan();
  Reading reading;
  std::optional<Held> held;
  unsigned opened = 0;
  for (int round = 0; round < 150; ++round) {
    if (vandal.pick(8) == 0 || library.find("waves") == nullptr) library.scan();
    if (vandal.pick(2) == 0) vandal.replace();
    if (vandal.pick(2) == 0) vandal.strike();
    // Based on the last scan, which may have found another store.
    if (const auto* entry = library.find("waves"); entry != nullptr)
      if (auto files = library.open(*entry, for_wall)) {
        ++opened;
        held = hold(OpenStore::of(std::move(*files)));
        REQUIRE(held->store->manifest().geometry == wall);
        if (!held->store->manifest().id.empty() && !vandal.mixed) check_one_store(*held);
        reading.reader->use(*held->store);
      }
    if (!held) continue;
    if (vandal.pick(2) == 0) vandal.strike();
    const auto frames = held->store->manifest().frame_count;
    for (int i = 0; i < 12; ++i) reading.ask(*held, vandal.pick(frames), vandal.pick(2));
    if (vandal.pick(2) == 0) vandal.strike();
    reading.collect();
  }
  CHECK(opened > 10);
  CHECK(reading.whole > 200);
  CHECK(reading.failed > 0);
}
