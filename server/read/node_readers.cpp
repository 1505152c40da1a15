#include "server/read/node_readers.h"

#include "common/concurrency/agent.h"
#include "common/concurrency/spsc_ring.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace lw {

// The reader of a node. Its thread steps it; everything else belongs to the thread that asks for frames.
class NodeReader final : public Agent {
public:
  NodeReader(std::unique_ptr<StripeReader> reader, unsigned reads_max, Doorbell& asker)
      : reader_(std::move(reader)), reads_max_(reads_max), orders_(reads_max), done_(reads_max), asker_(asker) {}

  void use(const OpenStore& store) {
    store_ = &store;
    ++use_;
  }
  bool start(const FrameExtent& extent, FrameBuffer& buffer) {
    if (under_way_ == reads_max_) return false;
    orders_.try_push({store_, use_, extent, &buffer});
    ++under_way_;
    asked_ = true;
    return true;
  }
  void submit() {
    if (std::exchange(asked_, false)) bell().ring();
  }
  std::size_t take(std::span<ReadDone> done) {
    std::size_t count = 0;
    while (count < done.size() && done_.try_pop(done[count])) ++count;
    under_way_ -= static_cast<unsigned>(count);
    return count;
  }
  [[nodiscard]] unsigned under_way() const { return under_way_; }

  Wait step(const Moment& /*now*/) override {
    Order order;
    while (orders_.try_pop(order)) {
      if (std::exchange(used_, order.use) != order.use) reader_->use(*order.store);
      reader_->start(order.extent, *order.buffer);
      if (reader_->descriptors().empty()) hand_over();  // it was read at once, while others waited
    }
    hand_over();
    const bool waits = reader_->under_way() > 0;
    return {LocalTime::max(), waits ? reader_->descriptors() : std::span<const int>{}};
  }

private:
  // A frame of the store that was in use when it was asked for. That lives as long as the read is under way.
  struct Order {
    const OpenStore* store = nullptr;
    std::uint64_t use = 0;
    FrameExtent extent;
    FrameBuffer* buffer = nullptr;
  };

  void hand_over() {
    std::array<ReadDone, 16> done;
    bool any = false;
    for (std::size_t count = done.size(); count == done.size();) {
      count = reader_->wait(done, Nanoseconds{0});
      for (const auto& read : std::span(done).first(count)) done_.try_push(ReadDone(read));
      any = any || count > 0;
    }
    if (any) asker_.ring();
  }

  const std::unique_ptr<StripeReader> reader_;
  std::uint64_t used_ = 0;

  const unsigned reads_max_;
  const OpenStore* store_ = nullptr;
  std::uint64_t use_ = 0;
  unsigned under_way_ = 0;
  bool asked_ = false;  // for frames that its thread has not heard of

  // Never full: at most `reads_max` frames are in flight.
  SpscRing<Order> orders_;
  SpscRing<ReadDone> done_;
  Doorbell& asker_;
};

namespace {

std::string name_of(const std::vector<NodeReaders::Node>& nodes) {
  std::string numbers;
  for (const auto& node : nodes) numbers += fmt::format("{} {}", numbers.empty() ? "" : ",", node.number);
  return nodes.front().reader->name() + "; a thread for each of the NUMA nodes" + numbers;
}

}  // namespace

NodeReaders::NodeReaders(std::vector<Node> nodes, Doorbell& bell) : name_(name_of(nodes)) {
  for (auto& node : nodes) {
    auto& reader = *readers_.emplace_back(std::make_unique<NodeReader>(std::move(node.reader), node.reads_max, bell));
    for (const auto tile : node.tiles) {
      of_tile_.resize(std::max<std::size_t>(of_tile_.size(), tile.value + 1));
      of_tile_[tile.value] = &reader;
    }
  }
}

NodeReaders::~NodeReaders() = default;

Result<std::unique_ptr<StripeReader>> NodeReaders::start(std::vector<Node> nodes, Doorbell& bell) {
  std::vector<Runner::Options> threads;
  for (const auto& node : nodes) threads.push_back({.name = fmt::format("read-{}", node.number), .cpu = node.cpu});
  std::unique_ptr<NodeReaders> readers(new NodeReaders(std::move(nodes), bell));
  for (std::size_t i = 0; i < threads.size(); ++i) {
    auto runner = Runner::start(threads[i], {readers->readers_[i].get()});
    if (!runner) return runner.error();
    readers->runners_.push_back(std::move(*runner));
  }
  return std::unique_ptr<StripeReader>(std::move(readers));
}

void NodeReaders::use(const OpenStore& store) {
  for (auto& reader : readers_) reader->use(store);
}

bool NodeReaders::start(const FrameExtent& extent, FrameBuffer& buffer) {
  return of_tile_[buffer.tile.value]->start(extent, buffer);
}

std::size_t NodeReaders::wait(std::span<ReadDone> done, Nanoseconds timeout) {
  constexpr std::chrono::microseconds look_interval{50};
  for (auto& reader : readers_) reader->submit();
  std::size_t count = take(done);
  if (count > 0 || timeout <= Nanoseconds{0}) return count;
  for (const auto until = LocalClock::now() + timeout; count == 0 && LocalClock::now() < until; count = take(done))
    std::this_thread::sleep_for(look_interval);
  return count;
}

std::size_t NodeReaders::take(std::span<ReadDone> done) {
  std::size_t count = 0;
  for (auto& reader : readers_) count += reader->take(done.subspan(count));
  return count;
}

unsigned NodeReaders::under_way() const {
  unsigned sum = 0;
  for (const auto& reader : readers_) sum += reader->under_way();
  return sum;
}

}  // namespace lw
