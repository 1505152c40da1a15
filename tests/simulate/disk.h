// The disks of a simulated server: reads take time, fail, or never return, as the seed decides.
#pragma once

#include "common/wall/wall_file.h"
#include "server/read/stripe_reader.h"
#include "tests/simulate/content.h"
#include "tests/simulate/host.h"

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lw::simulate {

struct DiskState {
  Nanoseconds latency{std::chrono::milliseconds{1}};
  Nanoseconds jitter{std::chrono::milliseconds{1}};
  double fails = 0;          // probability that a read fails
  bool hangs = false;        // reads do not end while this is set
  Nanoseconds next_read{0};  // additional time of the next read

  [[nodiscard]] bool works() const { return latency + jitter < std::chrono::milliseconds{10} && fails == 0 && !hangs; }
};

// The reader of a server on such a disk. The first half of a frame is read when the request starts, the rest when it
// ends.
class SimReader final : public StripeReader {
public:
  SimReader(Timeline& timeline, Random& random, const Wall& wall, const Content& content, DiskState& disk,
            unsigned reads_max, std::function<void()> on_end)
      : timeline_(timeline),
        random_(random),
        wall_(wall),
        content_(content),
        disk_(disk),
        reads_max_(reads_max),
        on_end_(std::move(on_end)) {}
  ~SimReader() override { *alive_ = false; }

  void use(const OpenStore& /*store*/) override {}
  bool start(const FrameExtent& extent, FrameBuffer& buffer) override;
  std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) override;
  [[nodiscard]] unsigned under_way() const override { return under_way_; }
  [[nodiscard]] std::string name() const override { return "a simulated disk"; }

private:
  struct Read {
    FrameExtent extent;
    FrameBuffer* buffer = nullptr;
    const StoreVersion* first_half = nullptr;
  };
  void end(const Read& read);

  Timeline& timeline_;
  Random& random_;
  const Wall& wall_;
  const Content& content_;
  DiskState& disk_;
  const unsigned reads_max_;
  const std::function<void()> on_end_;
  unsigned under_way_ = 0;
  std::deque<ReadDone> done_;
  std::vector<std::byte> rgb_;                                  // of a frame that is compressed
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // events outlive a server that crashed
};

}  // namespace lw::simulate
