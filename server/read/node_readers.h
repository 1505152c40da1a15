// Readers on several NUMA nodes, each on a thread of its own near the memory of the frames that it reads. The caller's
// thread asks for frames and takes those that have been read, through queues without locks; a bell tells it that there
// are some. One thread (the caller's), which must not be the threads' own.
#pragma once

#include "common/base/result.h"
#include "common/concurrency/doorbell.h"
#include "common/concurrency/runner.h"
#include "server/read/stripe_reader.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lw {

class NodeReader;

class NodeReaders final : public StripeReader {
public:
  struct Node {
    unsigned number = 0;           // of the NUMA node
    int cpu = -1;                  // of the thread, there; < 0: any
    std::vector<TileIndex> tiles;  // whose frames it reads; no other node has them
    unsigned reads_max = 0;        // frames in flight at once
    std::unique_ptr<StripeReader> reader;
  };

  // Starts the threads. `bell` rings when frames have been read; it must outlive this object. Each buffer that is
  // passed to start() has its tile.
  static Result<std::unique_ptr<StripeReader>> start(std::vector<Node> nodes, Doorbell& bell);
  ~NodeReaders() override;

  void use(const OpenStore& store) override;
  bool start(const FrameExtent& extent, FrameBuffer& buffer) override;
  std::size_t wait(std::span<ReadDone> done, Nanoseconds timeout) override;
  [[nodiscard]] unsigned under_way() const override;
  [[nodiscard]] std::string name() const override { return name_; }

private:
  NodeReaders(std::vector<Node> nodes, Doorbell& bell);
  std::size_t take(std::span<ReadDone> done);

  std::string name_;
  std::vector<std::unique_ptr<NodeReader>> readers_;
  std::vector<NodeReader*> of_tile_;              // by the tile's index on the wall
  std::vector<std::unique_ptr<Runner>> runners_;  // last: joined before the readers are destroyed
};

}  // namespace lw
