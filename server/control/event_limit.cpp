#include "server/control/event_limit.h"

#include "common/base/short_text.h"

#include <fmt/format.h>

#include <utility>

namespace lw {

void EventLimit::add(PlayEvent event, const std::optional<std::string>& node, LocalTime now) {
  event.text = short_text(event.text, text_bytes_max);
  auto& kind = kinds_[event.code];
  if (const auto held = kind.limit.take(now)) return tell(std::move(event), node, *held, kind);
  kind.newest = std::move(event);
  kind.node = node;
}

void EventLimit::flush(LocalTime now) {
  for (auto& [code, kind] : kinds_) {
    if (!kind.newest || !kind.limit.is_overdue(now)) continue;
    const auto held = kind.limit.take(now).value_or(1);
    tell(*kind.newest, kind.node, held - 1, kind);
  }
}

void EventLimit::tell(PlayEvent event, const std::optional<std::string>& node, std::uint64_t others, Kind& kind) {
  if (others > 0) event.text += fmt::format("; {} more like it since the last", others);
  tell_(event, node);
  kind.newest.reset();
}

}  // namespace lw
