// The disks of a simulated server, and what is on them: every byte is a function of (visualization, frame, tile, row),
// so that who sees a row knows whether it may be shown. Reads take time, fail, or do not come back, as the seed says.
#pragma once

#include "common/pixel/pixel_format.h"
#include "common/wall/wall_file.h"
#include "server/read/stripe_reader.h"
#include "tests/simulate/host.h"

#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace lw::simulate {

struct Visualization {
  std::string name;
  FrameRate rate;
  std::uint32_t frames = 0;
  PixelFormat format = PixelFormat::rgb8;
};

// Of a tile's row; `seed`: of the visualization.
void paint_row(std::uint64_t seed, std::uint32_t frame, unsigned tile, unsigned row, std::span<std::byte> out);
bool is_row(std::uint64_t seed, std::uint32_t frame, unsigned tile, unsigned row, std::span<const std::byte> bytes);
std::uint64_t seed_of(std::string_view visualization);

struct DiskState {
  Nanoseconds latency{std::chrono::milliseconds{1}};
  Nanoseconds jitter{std::chrono::milliseconds{1}};
  double fails = 0;    // chance of an error, of a read
  bool hangs = false;  // reads do not end before this is over
};

// The reader of a server on such a disk. Frames are painted when their read ends.
class SimReader final : public StripeReader {
public:
  SimReader(Timeline& timeline, Random& random, const Wall& wall, const DiskState& disk, unsigned reads_max,
            std::function<void()> on_end)
      : timeline_(timeline),
        random_(random),
        wall_(wall),
        disk_(disk),
        reads_max_(reads_max),
        on_end_(std::move(on_end)) {}
  ~SimReader() override { *alive_ = false; }

  void use(const OpenStore& store) override { name_ = store.manifest().name; }
  bool start(const FrameExtent& extent, FrameBuffer& buffer) override;
  std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) override;
  [[nodiscard]] unsigned under_way() const override { return under_way_; }
  [[nodiscard]] std::string name() const override { return "a simulated disk"; }

private:
  struct Read {
    FrameBuffer* buffer = nullptr;
    std::string name;
    unsigned tile = 0;
    std::uint32_t frame = 0;
  };
  void end(const Read& read);

  Timeline& timeline_;
  Random& random_;
  const Wall& wall_;
  const DiskState& disk_;
  const unsigned reads_max_;
  const std::function<void()> on_end_;
  std::string name_;
  unsigned under_way_ = 0;
  std::deque<ReadDone> done_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // events outlive a server that crashed
};

}  // namespace lw::simulate
