// Something that happened on the wall, or in this program: when, how severe, where, and a description.
#pragma once

#include "common/messages/event.h"
#include "wall-control/ui/state_shape.h"

#include <QJsonObject>
#include <QString>

#include <optional>

namespace lw {

struct Event {
  qint64 time_ms = 0;  // since 1970, by the server's clock
  qint64 number = 0;   // the server's; 0: from this program
  Severity severity = Severity::info;
  QString code;  // "node-lost"
  QString text;
  QString node;
  std::optional<int> column, row;  // of the tile
  std::optional<int> flow;
};

// None if its time is not a time.
std::optional<Event> to_event(const EventMessage& message);
// The reverse.
QJsonObject to_json(const Event& event);
// An event of this program, now.
Event own_event(Severity severity, const QString& code, const QString& text);

QString name_of(Severity severity);    // "warning", as the protocol says it
QString word_of(Severity severity);    // for people
QString mark_of(Severity severity);    // a shape
QString place_of(const Event& event);  // "node left, tile 0,1, flow 3"; may be empty
QString where_of(const Event& event);  // the same in a word: "Tile 0,1"
// With the shape of what the audience sees; something that is over is ok.
State state_of(const Event& event);

}  // namespace lw
