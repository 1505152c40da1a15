// The law of uploads and fences, with fences that pass when a random generator says so: a band buffer goes back to its
// flow only when every upload that could read it has been read; and each goes back once.
#include "wall-client/display/gl/upload_fences.h"

#include "wall-client/present/band_returns.h"

#include <catch2/catch.hpp>

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>

using namespace lw;

namespace {

// The commands of a GPU: they pass one after the other.
struct FakeGpu {
  std::uint64_t issued = 0, passed = 0;
  unsigned waits = 0;
};

class FakeFence {
public:
  FakeFence() = default;
  explicit FakeFence(FakeGpu& gpu) : gpu_(&gpu), command_(++gpu.issued) {}
  [[nodiscard]] bool passed() const { return gpu_ == nullptr || gpu_->passed >= command_; }
  void wait() const {
    if (passed()) return;
    ++gpu_->waits;
    gpu_->passed = command_;
  }

private:
  FakeGpu* gpu_ = nullptr;
  std::uint64_t command_ = 0;
};

}  // namespace

TEST_CASE("uploads are unread until their fences and all before have passed") {
  FakeGpu gpu;
  UploadFences<FakeFence> fences;
  CHECK(fences.unread() == 0);
  fences.add(FakeFence(gpu));
  fences.add();
  fences.add(FakeFence(gpu));
  CHECK(fences.next() == 4);
  CHECK(fences.unread() == 3);  // the second had nothing to wait for, but follows one that has
  gpu.passed = 1;
  CHECK(fences.unread() == 1);
  fences.wait_for(2);
  CHECK(gpu.waits == 0);
  fences.wait_for(3);
  CHECK(gpu.waits == 1);
  CHECK(fences.unread() == 0);
}

TEST_CASE("more uploads than can be in flight wait for the oldest") {
  FakeGpu gpu;
  UploadFences<FakeFence> fences;
  constexpr auto most = UploadFences<FakeFence>::in_flight_max;
  for (std::size_t i = 0; i < most; ++i) fences.add(FakeFence(gpu));
  CHECK(gpu.waits == 0);
  fences.add(FakeFence(gpu));
  CHECK(gpu.waits == 1);
  CHECK(gpu.passed == 1);
  CHECK(fences.unread() == most);
}

TEST_CASE("no buffer goes back while the GPU may read it, and each goes back once") {
  const auto seed = GENERATE(range(0U, 200U));
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
  constexpr unsigned buffers = 12;
  FakeGpu gpu;
  UploadFences<FakeFence> fences;
  BandReturns returns(buffers);
  std::set<unsigned> free;                    // the flow's
  std::deque<unsigned> waiting;               // frames of the presenter, each of one band
  std::map<unsigned, std::uint64_t> read_by;  // the newest command that reads a buffer
  for (unsigned i = 0; i < buffers; ++i) free.insert(i);
  const unsigned lag = 1 + below(6);  // of the GPU
  for (unsigned step = 0; step < 400; ++step) {
    if (!free.empty() && below(3) > 0) {  // a band arrives
      waiting.push_back(*free.begin());
      free.erase(free.begin());
    }
    if (!waiting.empty() && below(2) == 0) {  // an upload, in place, of a copy, or of a frame without a row
      if (below(4) > 0) {
        fences.add(FakeFence(gpu));
        read_by[waiting.front()] = gpu.issued;
      } else {
        fences.add();
      }
      returns.uploaded();
    }
    if (!waiting.empty() && below(2) == 0) {  // shown, or dropped
      returns.add({7, waiting.front()});
      waiting.pop_front();
    }
    if (gpu.passed < gpu.issued && below(lag) == 0) ++gpu.passed;
    returns.settle(fences.unread());
    BandReturns::Buffer back;
    while (returns.take(back)) {
      REQUIRE(back.flow == 7);
      REQUIRE(read_by[back.buffer] <= gpu.passed);
      REQUIRE(free.insert(back.buffer).second);
    }
  }
  gpu.passed = gpu.issued;  // nothing stays behind
  returns.settle(fences.unread());
  BandReturns::Buffer back;
  while (returns.take(back)) free.insert(back.buffer);
  CHECK(returns.empty());
  CHECK(free.size() + waiting.size() == buffers);
}
