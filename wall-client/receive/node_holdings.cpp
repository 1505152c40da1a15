#include "wall-client/receive/node_holdings.h"

#include "common/wire/sequence.h"

#include <algorithm>
#include <bit>

namespace lw {
namespace {

constexpr unsigned tick_shift = 16;
constexpr std::uint32_t count_mask = 0xFFFF;

// Adds one holder of `tick`; returns how many there are. Another tick's count begins again.
std::uint32_t add_holder(std::atomic<std::uint32_t>& holders, std::uint16_t tick) {
  auto before = holders.load(std::memory_order_relaxed);
  for (;;) {
    const bool same = before >> tick_shift == tick;
    const auto count = std::min((same ? before & count_mask : 0) + 1, count_mask);
    if (holders.compare_exchange_weak(before, static_cast<std::uint32_t>(tick) << tick_shift | count,
                                      std::memory_order_acq_rel))
      return count;
  }
}

// Those of `ticks` that `others` also has.
TickSet common_ticks(const TickSet& ticks, const TickSet& others) {
  if (ticks.empty() || others.empty()) return {};
  const auto behind = distance_16(others.newest(), ticks.newest());  // > 0: others' newest is older
  if (std::abs(behind) >= static_cast<int>(TickSet::span)) return {};
  const auto mask = behind >= 0 ? ticks.mask() & (others.mask() << static_cast<unsigned>(behind))
                                : ticks.mask() & (others.mask() >> static_cast<unsigned>(-behind));
  if (mask == 0) return {};
  const auto older = static_cast<unsigned>(std::countr_zero(mask));
  return {static_cast<std::uint16_t>(ticks.newest() - older), mask >> older};
}

}  // namespace

std::size_t NodeHoldings::take_place() {
  flows_.push_back(std::make_unique<Flow>());
  return flows_.size() - 1;
}

bool NodeHoldings::hold(std::size_t place, std::uint16_t tick, const TickSet& held) {
  flows_[place]->held.publish(held);
  return add_holder(holders_[tick % holders_.size()], tick) >= counting_.load(std::memory_order_relaxed);
}

void NodeHoldings::restart(std::size_t place) {
  accepted_.store(false, std::memory_order_relaxed);
  flows_[place]->heard.store(never, std::memory_order_relaxed);
  flows_[place]->held.publish({});
}

NodeHoldings::Speaker NodeHoldings::speaker(std::size_t place, LocalTime now) const {
  const auto first = first_alive(now);
  if (first == place) return Speaker::for_node;
  return first && accepted_.load(std::memory_order_relaxed) ? Speaker::another : Speaker::for_itself;
}

NodeHoldings::Held NodeHoldings::held(LocalTime now) {
  Held all;
  std::uint32_t counting = 0;
  std::optional<std::uint16_t> newest;
  for (const auto& flow : flows_) {
    if (!counts(*flow, now)) continue;
    const auto held = flow->held.read();
    all.ticks = counting++ == 0 ? held : common_ticks(all.ticks, held);
    if (!held.empty() && (!newest || distance_16(*newest, held.newest()) > 0)) newest = held.newest();
  }
  all.more = newest && !all.ticks.contains(*newest);
  counting_.store(counting, std::memory_order_relaxed);
  return all;
}

bool NodeHoldings::heard_lately(const Flow& flow, LocalTime now) const {
  const auto heard = flow.heard.load(std::memory_order_relaxed);
  return heard != never && now - LocalTime{Nanoseconds{heard}} < silent_after;
}

bool NodeHoldings::counts(const Flow& flow, LocalTime now) const {
  return waits_ ? flow.heard.load(std::memory_order_relaxed) != never : heard_lately(flow, now);
}

std::optional<std::size_t> NodeHoldings::first_alive(LocalTime now) const {
  for (std::size_t place = 0; place < flows_.size(); ++place)
    if (heard_lately(*flows_[place], now)) return place;
  return std::nullopt;
}

}  // namespace lw
