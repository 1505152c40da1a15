#include "wall-client/decode/decode_workers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace lw {
namespace {

// Of a step: some hundred microseconds.
constexpr unsigned chunks_per_step = 4;
// Pixels per second and core (docs/formats.md).
constexpr double decoding_rate = 280e6;

}  // namespace

class DecodeWorkers::Worker final : public Agent {
public:
  explicit Worker(const Options& options) : inbox_(options.orders_max) { chunks_.reserve(options.width_max); }

  bool take(DecodeOrder order) {
    if (!inbox_.try_push(order)) return false;
    bell().ring();
    return true;
  }
  Wait step(const Moment& now) override {
    if (order_.job == nullptr && !inbox_.try_pop(order_)) return {};
    bool last = false;
    if (order_.job->work(chunks_, chunks_per_step, last)) return {now.local};
    if (last) order_.done->ring();
    order_ = {};
    return {now.local};
  }

private:
  SpscRing<DecodeOrder> inbox_;
  DecodeOrder order_;
  ChunkWorker chunks_;
};

DecodeWorkers::DecodeWorkers(const Options& options) {
  if (options.threads == 0) own_.reserve(options.width_max);
  for (unsigned i = 0; i < options.threads; ++i) workers_.push_back(std::make_unique<Worker>(options));
}

DecodeWorkers::~DecodeWorkers() = default;

Result<std::unique_ptr<DecodeWorkers>> DecodeWorkers::start(const Options& options) {
  std::unique_ptr<DecodeWorkers> workers(new DecodeWorkers(options));
  for (unsigned i = 0; i < options.threads; ++i) {
    const int cpu = options.cpus.empty() ? -1 : options.cpus[i % options.cpus.size()];
    auto runner = Runner::start({.name = "decode-" + std::to_string(i), .cpu = cpu}, {workers->workers_[i].get()});
    if (!runner) return runner.error();
    workers->runners_.push_back(std::move(*runner));
  }
  return workers;
}

void DecodeWorkers::decode(const DecodeOrder& order, const ReceivedBand& band) {
  const auto count = static_cast<unsigned>(workers_.size());
  order.job->begin(band, std::max(count, 1U));
  bool last = false;
  if (count == 0) order.job->work(own_, std::numeric_limits<unsigned>::max(), last);
  for (const auto& worker : workers_) worker->take(order);
}

unsigned decode_threads(double pixels_per_s, unsigned cores) {
  const auto wanted = static_cast<unsigned>(std::ceil(pixels_per_s / (decoding_rate / 2)));
  return std::clamp(wanted, 1U, std::max(cores, 1U));
}

}  // namespace lw
