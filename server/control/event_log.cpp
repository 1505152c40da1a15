#include "server/control/event_log.h"

#include "common/messages/iso_time.h"
#include "common/messages/message.h"

#include <spdlog/spdlog.h>

#include <cstddef>

namespace lw {
namespace {

constexpr std::size_t events_kept = 200;

}  // namespace

void EventLog::add(const PlayEvent& event, const Moment& now, const std::optional<std::string>& node) {
  now_ = now.wall;
  limit_.add(event, node, now.local);
}

void EventLog::flush(const Moment& now) {
  now_ = now.wall;
  limit_.flush(now.local);
}

void EventLog::tell(const PlayEvent& event, const std::optional<std::string>& node) {
  const auto level = event.severity == Severity::info      ? spdlog::level::info
                     : event.severity == Severity::warning ? spdlog::level::warn
                                                           : spdlog::level::err;
  spdlog::log(level, "{}: {}", event.code, event.text);
  const auto cell = event.tile ? std::optional(wall_.tile(*event.tile).cell) : std::nullopt;
  newest_.push_back({++count_, to_iso8601(now_), event.severity, event.code, event.text, node, cell, event.flow});
  if (newest_.size() > events_kept) newest_.pop_front();
  subscribers_.notify("event", to_json(newest_.back()), &Subscription::events, false);
}

}  // namespace lw
