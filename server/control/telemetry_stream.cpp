#include "server/control/telemetry_stream.h"

#include <algorithm>

namespace lw {
namespace {

constexpr std::size_t stream_unread_max = std::size_t{256} << 10U;  // of a listener that gets the next message
constexpr unsigned summary_every = 10;  // tenths of a second between all columns of tiles for listeners without flows

}  // namespace

void TelemetryStream::set(WebPeer& peer, const TelemetryRequest& request) {
  if (!request.on) return remove(&peer);
  listeners_[&peer] = {request.flows_every, false};
}

std::optional<unsigned> TelemetryStream::flows_every() const {
  std::optional<unsigned> least;
  for (const auto& [peer, listener] : listeners_)
    if (listener.flows_every > 0) least = std::min(least.value_or(listener.flows_every), listener.flows_every);
  return least;
}

void TelemetryStream::send(std::shared_ptr<const Stats> stats) {
  ++calls_;
  if (listeners_.empty() || is_encoding_) return;
  for (auto& kind : kinds_) kind.is_wanted = kind.full_wanted = false;
  for (const auto& [peer, listener] : listeners_) {
    auto& kind = kinds_[kind_of(listener)];
    kind.is_wanted = true;
    kind.full_wanted = kind.full_wanted || !listener.has_full;
  }
  const std::array<bool, 2> all{calls_ % summary_every == 0, calls_ % flows_every().value_or(1) == 0};
  is_encoding_ = true;
  const auto work = [this, stats = std::move(stats), all] {
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      auto& kind = kinds_[i];
      if (!kind.is_wanted) continue;
      kind.tables.put(*stats, all[i]);
      kind.differences = kind.tables.take_differences();
      if (kind.full_wanted) kind.full = kind.tables.full();
    }
  };
  const auto done = [this] { deliver(); };
  if (thread_) return thread_(work, done);
  work();
  done();
}

// A listener that reads too slowly misses messages, and receives a full message when it has caught up.
void TelemetryStream::deliver() {
  is_encoding_ = false;
  std::array<std::shared_ptr<const std::string>, 2> differences, full;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    differences[i] = std::make_shared<const std::string>(std::move(kinds_[i].differences));
    full[i] = std::make_shared<const std::string>(std::move(kinds_[i].full));
    kinds_[i].differences.clear();
    kinds_[i].full.clear();
  }
  for (auto& [peer, listener] : listeners_) {
    const auto kind = kind_of(listener);
    const auto& message = listener.has_full ? differences[kind] : full[kind];
    if (message->empty()) continue;  // it subscribed meanwhile
    listener.has_full = peer->unread_bytes() <= stream_unread_max;
    if (listener.has_full) peer->send(message, false);
  }
}

}  // namespace lw
