#include "server/control/event_log.h"

#include "common/messages/iso_time.h"

#include <spdlog/spdlog.h>

#include <array>
#include <cstddef>
#include <string_view>

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
  constexpr std::array<std::string_view, 3> names{"info", "warning", "error"};
  const auto level = event.severity == Severity::info      ? spdlog::level::info
                     : event.severity == Severity::warning ? spdlog::level::warn
                                                           : spdlog::level::err;
  spdlog::log(level, "{}: {}", event.code, event.text);
  Json json{{"seq", ++count_},
            {"time", to_iso8601(now_)},
            {"severity", names[static_cast<std::size_t>(event.severity)]},
            {"code", event.code},
            {"text", event.text}};
  if (node) json["node"] = *node;
  if (event.tile) json["tile"] = {event.tile->column, event.tile->row};
  if (event.flow) json["flow"] = *event.flow;
  newest_.push_back(json);
  if (newest_.size() > events_kept) newest_.pop_front();
  subscribers_.notify("event", json, &Subscription::events, false);
}

}  // namespace lw
