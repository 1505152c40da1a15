// Pins the promises of every reader, whatever the kernel offers: frames arrive complete and exact, in blocks of any
// size, also while the store is changed, and a truncated file costs only its own frames.
#include "server/read/stripe_reader.h"
#include "server/read/node_readers.h"

#include "common/store/manifest.h"
#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"
#include "tests/support/store_folder.h"

#include <poll.h>
#include <catch2/catch.hpp>

#include <array>
#include <cstring>
#include <fstream>
#include <map>
#include <random>
#include <thread>
#include <vector>

using namespace lw;

namespace {

constexpr unsigned width = 64;
constexpr unsigned height = 33;
constexpr std::size_t picture_bytes = std::size_t{width} * height * 3;
constexpr std::uint32_t frames = 24;
constexpr std::chrono::milliseconds wait_max{60'000};  // a disk that others write to is slow

std::vector<std::byte> picture(std::uint32_t frame, unsigned seed) {
  std::vector<std::byte> pixels(picture_bytes);
  std::minstd_rand random(frame * 7919 + seed + 1);
  for (auto& pixel : pixels) pixel = static_cast<std::byte>(random());
  return pixels;
}

// One tile over two stripes.
struct Store {
  StoreFolder folder;
  std::shared_ptr<const OpenStore> opened;

  explicit Store(unsigned seed) {
    Manifest manifest;
    manifest.title = "noise";
    manifest.geometry = {1, 1, width, height, 0, 0};
    manifest.frame_rate = {30, 1};
    manifest.frame_count = frames;
    manifest.stripes = {".", "second"};
    const StripeLayout layout(manifest);
    for (unsigned stripe = 0; stripe < 2; ++stripe) {
      const auto name = stripe_file(folder.path, manifest, stripe, {});
      std::filesystem::create_directories(name.parent_path());
      std::ofstream file(name, std::ios::binary);
      file << npy_header({layout.records_in(stripe, {}), height, width * 3, layout.record_bytes({}) - picture_bytes});
      for (std::uint32_t frame = stripe; frame < frames; frame += 2) {
        auto pixels = picture(frame, seed);
        pixels.resize(layout.record_bytes({}));
        file.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
      }
    }
    std::ofstream(folder.path / manifest_file_name) << to_json_text(manifest);
    opened = OpenStore::open(folder.path).value();
  }
};

struct Reading {
  std::unique_ptr<FramePool> pool = FramePool::allocate(frames * 2, picture_bytes).value();
  std::array<std::span<std::byte>, 1> memory{pool->memory()};
  std::unique_ptr<Doorbell> bell = std::make_unique<Doorbell>();
  std::unique_ptr<StripeReader> reader;
  std::map<FrameBuffer*, std::pair<std::uint32_t, unsigned>> asked;  // frame and seed

  void ask(const Store& store, std::uint32_t frame, unsigned seed) {
    FrameBuffer* buffer = pool->take();
    REQUIRE(buffer != nullptr);
    asked[buffer] = {frame, seed};
    REQUIRE(reader->start(store.opened->locate(frame, {}), *buffer));
  }
  // Every requested frame must arrive; returns the errors by frame.
  std::map<std::uint32_t, int> collect() {
    std::map<std::uint32_t, int> errors;
    std::array<ReadDone, 5> done;
    while (!asked.empty()) {
      const auto count = reader->wait(done, wait_max);
      REQUIRE(count > 0);
      for (std::size_t i = 0; i < count; ++i) {
        const auto found = asked.find(done[i].buffer);
        REQUIRE(found != asked.end());
        const auto [frame, seed] = found->second;
        INFO("frame " << frame);
        if (done[i].error == 0)
          REQUIRE(std::memcmp(done[i].buffer->data, picture(frame, seed).data(), picture_bytes) == 0);
        else
          errors[frame] = done[i].error;
        asked.erase(found);
        done[i].buffer->release();
      }
    }
    REQUIRE(reader->under_way() == 0);
    return errors;
  }
};

std::unique_ptr<StripeReader> on_its_own_thread(std::unique_ptr<StripeReader> reader, Doorbell& bell) {
  std::vector<NodeReaders::Node> nodes(1);
  nodes.front().tiles = {TileIndex{}};
  nodes.front().reads_max = frames * 2;
  nodes.front().reader = std::move(reader);
  return NodeReaders::start(std::move(nodes), bell).value();
}

// io_uring with blocks smaller and larger than a frame, few and many of them, and with the kernel's thread; and pread.
// Each on the thread that asks, or on a separate one.
Reading any_reader() {
  Reading reading;
  const auto kind = GENERATE(range(0, 5));
  const bool own_thread = GENERATE(false, true);
  const ReaderSettings settings[] = {{4096, 1, false}, {4096, 16, false}, {1U << 20U, 4, false}, {8192, 3, true}};
  const bool registered = GENERATE(true, false);
  reading.reader = kind == 4 ? make_pread_reader(frames * 2)
                             : make_uring_reader(frames * 2, settings[kind],
                                                 registered ? std::span<const std::span<std::byte>>(reading.memory)
                                                            : std::span<const std::span<std::byte>>{});
  if (!reading.reader) reading.reader = make_pread_reader(frames * 2);  // io_uring is forbidden here
  if (own_thread) reading.reader = on_its_own_thread(std::move(reading.reader), *reading.bell);
  INFO(reading.reader->name());
  return reading;
}

}  // namespace

TEST_CASE("frames arrive complete and exact, round after round") {
  auto reading = any_reader();
  const Store store(1);
  reading.reader->use(*store.opened);
  for (int round = 0; round < 3; ++round) {
    for (std::uint32_t frame = 0; frame < frames; ++frame) reading.ask(store, frame, 1);
    REQUIRE(reading.collect().empty());
  }
}

TEST_CASE("frames of the previous store still arrive when another is used") {
  auto reading = any_reader();
  const Store first(1);
  const Store second(2);
  reading.reader->use(*first.opened);
  for (std::uint32_t frame = 0; frame < frames; ++frame) reading.ask(first, frame, 1);
  reading.reader->use(*second.opened);
  for (std::uint32_t frame = 0; frame < frames; ++frame) reading.ask(second, frame, 2);
  REQUIRE(reading.collect().empty());
}

TEST_CASE("a truncated stripe costs only its own frames, which report that they differ from what was checked") {
  auto reading = any_reader();
  const Store store(1);
  reading.reader->use(*store.opened);
  std::filesystem::resize_file(store.opened->file_of(1, {}), 4096 + 8192 * 5);
  for (std::uint32_t frame = 0; frame < frames; ++frame) reading.ask(store, frame, 1);
  const auto errors = reading.collect();
  for (const auto& [frame, error] : errors) {
    INFO("frame " << frame);
    REQUIRE(frame % 2 == 1);
    REQUIRE(error == file_changed);
  }
  REQUIRE(errors.size() == frames / 2);
}

// As a playback thread uses it: another thread has made the reader.
TEST_CASE("a thread that waits for the reader's descriptor is woken for every frame") {
  auto reading = any_reader();
  const Store store(1);
  std::size_t collected = 0;
  std::size_t wrong = 0;
  bool slept_through = false;
  std::thread([&] {
    reading.reader->use(*store.opened);
    std::array<ReadDone, 4> done;
    for (int round = 0; round < 20 && !slept_through; ++round) {
      std::map<FrameBuffer*, std::uint32_t> asked;
      for (std::uint32_t frame = 0; frame < frames; ++frame) {
        FrameBuffer* buffer = reading.pool->take();
        asked[buffer] = frame;
        reading.reader->start(store.opened->locate(frame, {}), *buffer);
      }
      while (reading.reader->under_way() > 0 && !slept_through) {
        const auto count = reading.reader->wait(done, Nanoseconds{0});
        for (std::size_t i = 0; i < count; ++i) {
          const auto expected = picture(asked.at(done[i].buffer), 1);
          if (done[i].error != 0 || std::memcmp(done[i].buffer->data, expected.data(), picture_bytes) != 0) ++wrong;
          done[i].buffer->release();
        }
        collected += count;
        if (count == done.size() || reading.reader->under_way() == 0 || reading.reader->descriptors().empty()) continue;
        pollfd until{reading.reader->descriptors().front(), POLLIN, 0};
        slept_through = ::poll(&until, 1, static_cast<int>(wait_max.count())) != 1;
      }
    }
  }).join();
  REQUIRE_FALSE(slept_through);
  REQUIRE(wrong == 0);
  REQUIRE(collected == std::size_t{20} * frames);
}

TEST_CASE("more frames than there is room for are refused, not lost") {
  const Store store(1);
  Reading reading;
  reading.reader = StripeReader::create(2, {}, reading.memory);
  reading.reader->use(*store.opened);
  reading.ask(store, 0, 1);
  reading.ask(store, 1, 1);
  FrameBuffer* buffer = reading.pool->take();
  REQUIRE_FALSE(reading.reader->start(store.opened->locate(2, {}), *buffer));
  REQUIRE(reading.collect().empty());
}
