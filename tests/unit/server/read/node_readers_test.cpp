// The laws of readers on several NUMA nodes: each reads only the frames of its node's tiles, on its own thread; each
// frame that is asked for is read once, from the store that was in use when it was asked for, and comes back once with
// its error; and the caller is rung for.
#include "server/read/node_readers.h"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <thread>

using namespace lw;
using namespace std::chrono_literals;

namespace {

// Notes what is read, and where.
class NotingReader final : public StripeReader {
public:
  struct Noted {
    std::vector<std::pair<FrameBuffer*, std::uint64_t>> read;  // with the frame's offset
    std::vector<const OpenStore*> stores;                      // of each of these
    std::set<std::thread::id> threads;
  };
  explicit NotingReader(Noted& noted) : noted_(noted) {}

  void use(const OpenStore& store) override {
    noted_.threads.insert(std::this_thread::get_id());
    store_ = &store;
  }
  bool start(const FrameExtent& extent, FrameBuffer& buffer) override {
    noted_.threads.insert(std::this_thread::get_id());
    noted_.read.emplace_back(&buffer, extent.offset);
    noted_.stores.push_back(store_);
    done_.push_back({&buffer, static_cast<int>(extent.offset % 3)});
    return true;
  }
  std::size_t wait(std::span<ReadDone> done, Nanoseconds /*timeout*/) override {
    std::size_t count = 0;
    for (; count < done.size() && !done_.empty(); done_.pop_front()) done[count++] = done_.front();
    return count;
  }
  [[nodiscard]] unsigned under_way() const override { return static_cast<unsigned>(done_.size()); }
  [[nodiscard]] std::string name() const override { return "noting"; }

private:
  Noted& noted_;
  const OpenStore* store_ = nullptr;
  std::deque<ReadDone> done_;
};

// Only their addresses matter.
const OpenStore& store_number(std::size_t number) {
  struct alignas(OpenStore) Place {};
  static std::array<Place, 8> stores;
  return reinterpret_cast<const OpenStore&>(stores[number]);
}

}  // namespace

TEST_CASE("each node reads the frames of its tiles, each once and from its store, whatever the nodes and the order") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::minstd_rand random(seed);
    const auto draw = [&](unsigned least, unsigned most) {
      return std::uniform_int_distribution<unsigned>(least, most)(random);
    };
    const auto node_count = draw(2, 4);
    const auto reads_max = draw(1, 12);
    std::vector<NotingReader::Noted> noted(node_count);
    std::vector<NodeReaders::Node> nodes(node_count);
    std::map<unsigned, unsigned> node_of;  // by tile
    for (unsigned tile = 0; tile < 9; ++tile)
      if (tile != 4) node_of[tile] = tile < node_count ? tile : draw(0, node_count - 1);  // another server has tile 4
    for (unsigned i = 0; i < node_count; ++i) {
      nodes[i].number = 2 * i;
      nodes[i].reads_max = reads_max;
      nodes[i].reader = std::make_unique<NotingReader>(noted[i]);
      for (const auto& [tile, node] : node_of)
        if (node == i) nodes[i].tiles.push_back({tile});
    }
    Doorbell bell;
    auto readers = NodeReaders::start(std::move(nodes), bell).value();
    CHECK_THAT(readers->name(), Catch::Contains("NUMA nodes 0, 2"));

    constexpr unsigned frames = 400;
    const auto buffers = std::make_unique<FrameBuffer[]>(frames);
    std::vector<const OpenStore*> from(frames);
    std::vector<unsigned> under_way(node_count);
    std::size_t used = 0, back = 0, asked = 0;
    std::set<const FrameBuffer*> came;
    const auto take = [&](Nanoseconds timeout) {
      std::array<ReadDone, 5> done;
      const auto count = readers->wait(done, timeout);
      for (std::size_t i = 0; i < count; ++i) {
        const auto number = done[i].buffer - buffers.get();
        REQUIRE(came.insert(done[i].buffer).second);
        REQUIRE(done[i].error == number % 3);
        --under_way[node_of.at(done[i].buffer->tile.value)];
      }
      back += count;
      return count;
    };
    readers->use(store_number(used));
    for (unsigned i = 0; i < frames; ++i) {
      if (draw(0, 20) == 0) readers->use(store_number(++used % 8));
      auto tile = draw(0, 8);
      if (tile == 4) tile = 5;
      buffers[i].tile = {tile};
      FrameExtent extent;
      extent.offset = i;
      auto& busy = under_way[node_of.at(tile)];
      const bool taken = readers->start(extent, buffers[i]);
      REQUIRE(taken == (busy < reads_max));
      if (taken) {
        ++busy;
        ++asked;
        from[i] = &store_number(used % 8);
      }
      REQUIRE(readers->under_way() == asked - back);
      if (draw(0, 2) == 0) take(Nanoseconds{0});
    }
    const auto until = LocalClock::now() + 20s;
    while (back < asked && LocalClock::now() < until) take(1ms);
    REQUIRE(back == asked);
    CHECK(readers->under_way() == 0);
    CHECK(bell.count() > 0);
    readers.reset();  // ends the threads: what they noted can be read

    std::size_t read = 0;
    std::set<std::thread::id> threads;
    for (unsigned node = 0; node < node_count; ++node) {
      CHECK(noted[node].threads.size() == 1);
      threads.insert(noted[node].threads.begin(), noted[node].threads.end());
      read += noted[node].read.size();
      for (std::size_t i = 0; i < noted[node].read.size(); ++i) {
        const auto [buffer, offset] = noted[node].read[i];
        CHECK(node_of.at(buffer->tile.value) == node);
        CHECK(buffer == &buffers[offset]);
        CHECK(noted[node].stores[i] == from[offset]);
      }
    }
    CHECK(read == asked);
    CHECK(threads.size() == node_count);
    CHECK_FALSE(threads.contains(std::this_thread::get_id()));
  }
}

TEST_CASE("whoever waits for the bell gets every frame") {
  NotingReader::Noted noted;
  std::vector<NodeReaders::Node> nodes(1);
  nodes.front().tiles = {TileIndex{}};
  nodes.front().reads_max = 4;
  nodes.front().reader = std::make_unique<NotingReader>(noted);
  Doorbell bell;
  const auto readers = NodeReaders::start(std::move(nodes), bell).value();
  readers->use(store_number(0));
  std::array<FrameBuffer, 4> buffers;
  for (unsigned round = 0; round < 200; ++round) {
    for (auto& buffer : buffers) REQUIRE(readers->start({}, buffer));
    for (std::size_t back = 0; back < buffers.size();) {
      const auto heard = bell.count();
      std::array<ReadDone, 5> done;
      const auto count = readers->wait(done, Nanoseconds{0});
      back += count;
      if (back == buffers.size()) break;
      const auto until = LocalClock::now() + 20s;
      while (count == 0 && bell.count() == heard && LocalClock::now() < until) std::this_thread::yield();
      REQUIRE(LocalClock::now() < until);
    }
  }
}
