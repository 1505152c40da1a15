// Messages as the window reads them, from what a server sent.
#pragma once

#include "wall-control/events/event.h"
#include "wall-control/messages/told.h"

#include <QJsonObject>

#include <optional>

namespace lw {

inline InfoReply read_info(const QJsonObject& json) { return info_from(json).value(); }

inline std::optional<Event> read_event(const QJsonObject& json) {
  const auto message = event_from(json);
  return message ? to_event(*message) : std::nullopt;
}

}  // namespace lw
