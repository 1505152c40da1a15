#include "server/control/loss_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

std::optional<PlayEvent> LossWatch::update(std::uint64_t lost, std::uint64_t repaired, LocalTime now) {
  const auto before = most_.value_or(Counts{lost, repaired});
  most_ = Counts{std::max(lost, before.lost), repaired};
  if (lost > before.lost) {
    last_loss_ = now;
    if (began_) return std::nullopt;
    began_ = now;
    at_begin_ = before;
    return flow_.event(Severity::warning, "loss-began", "packets are lost");
  }
  if (!began_ || now - last_loss_ < quiet) return std::nullopt;
  const auto text = fmt::format(
      "no packet lost for {} s; before, {} were lost in {:.1f} s, {} of them recovered in time", quiet.count(),
      lost - std::min(lost, at_begin_.lost), std::chrono::duration<double>(last_loss_ - *began_).count(),
      repaired - std::min(repaired, at_begin_.repaired));
  began_.reset();
  return flow_.event(Severity::info, "loss-ended", text);
}

}  // namespace lw
