#include "server/sync/parity_control.h"

namespace lw {
namespace {

// Between two changes of a flow, so that one takes effect before the next is announced.
constexpr std::chrono::seconds keeps_for{1};

}  // namespace

bool ParityControl::step(const std::set<unsigned>& wanted, const FrameCounts& from, LocalTime now) {
  bool changes = false;
  const auto turn = [&](unsigned flow, bool on) {
    const auto [changed, first] = changed_.try_emplace(flow, now);
    if (!first && now - changed->second < keeps_for) return;
    changed->second = now;
    switches_[flow] = of(flow).switched(on, from);
    changes = true;
  };
  for (const auto& [flow, known] : switches_)
    if (known.on && !wanted.contains(flow)) turn(flow, false);
  for (const auto flow : wanted)
    if (!of(flow).on) turn(flow, true);
  return changes;
}

ParitySwitch ParityControl::of(unsigned flow) const {
  const auto known = switches_.find(flow);
  return known == switches_.end() ? ParitySwitch{} : known->second;
}

}  // namespace lw
