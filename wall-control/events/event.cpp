#include "wall-control/events/event.h"

#include "wall-control/messages/told.h"
#include "wall-control/ui/tile_names.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QStringList>

#include <string>
#include <tuple>
#include <utility>

namespace lw {
namespace {

QString say(const char* text) { return QCoreApplication::translate("Event", text); }

}  // namespace

std::optional<Event> to_event(const EventMessage& message) {
  const auto time = QDateTime::fromString(QString::fromStdString(message.time), Qt::ISODateWithMs);
  if (!time.isValid()) return std::nullopt;
  Event event;
  event.time_ms = time.toMSecsSinceEpoch();
  event.number = static_cast<qint64>(message.seq);
  event.severity = message.severity;
  event.code = QString::fromStdString(message.code);
  event.text = QString::fromStdString(message.text);
  event.node = QString::fromStdString(message.node.value_or(""));
  if (const auto& tile = message.tile) std::tie(event.column, event.row) = std::pair{tile->column, tile->row};
  if (message.flow) event.flow = static_cast<int>(*message.flow);
  return event;
}

QJsonObject to_json(const Event& event) {
  const auto time = QDateTime::fromMSecsSinceEpoch(event.time_ms, Qt::UTC).toString(Qt::ISODateWithMs);
  EventMessage message{static_cast<std::uint64_t>(event.number),
                       time.toStdString(),
                       event.severity,
                       event.code.toStdString(),
                       event.text.toStdString(),
                       {},
                       {},
                       {}};
  if (!event.node.isEmpty()) message.node = event.node.toStdString();
  if (event.column && event.row)
    message.tile = GridCell{static_cast<unsigned>(*event.column), static_cast<unsigned>(*event.row)};
  if (event.flow) message.flow = static_cast<unsigned>(*event.flow);
  return to_qt(to_json(message));
}

Event own_event(Severity severity, const QString& code, const QString& text) {
  Event event;
  event.time_ms = QDateTime::currentMSecsSinceEpoch();
  event.severity = severity;
  event.code = code;
  event.text = text;
  return event;
}

QString name_of(Severity severity) {
  return QString::fromStdString(std::string(severity_names.names[static_cast<std::size_t>(severity)]));
}

QString word_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return say(QT_TRANSLATE_NOOP("Event", "info"));
    case Severity::warning:
      return say(QT_TRANSLATE_NOOP("Event", "warning"));
    case Severity::error:
      break;
  }
  return say(QT_TRANSLATE_NOOP("Event", "error"));
}

QString mark_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return QString::fromUtf8("\u00b7");
    case Severity::warning:
      return QString::fromUtf8("\u25b2");
    case Severity::error:
      break;
  }
  return QString::fromUtf8("\u2717");
}

QString place_of(const Event& event) {
  QStringList parts;
  if (!event.node.isEmpty()) parts << say(QT_TRANSLATE_NOOP("Event", "node %1")).arg(event.node);
  if (event.column && event.row)
    parts << with_tile(say(QT_TRANSLATE_NOOP("Event", "tile %1,%2")), *event.column, *event.row);
  if (event.flow) parts << say(QT_TRANSLATE_NOOP("Event", "flow %1")).arg(*event.flow);
  return parts.join(", ");
}

QString where_of(const Event& event) {
  if (event.column && event.row)
    return with_tile(say(QT_TRANSLATE_NOOP("Event", "Tile %1,%2")), *event.column, *event.row);
  if (!event.node.isEmpty()) return event.node;
  if (event.flow) return say(QT_TRANSLATE_NOOP("Event", "Flow %1")).arg(*event.flow);
  if (event.code == "wall-control") return say(QT_TRANSLATE_NOOP("Event", "This program"));
  if (event.code.startsWith("playlist")) return say(QT_TRANSLATE_NOOP("Event", "Playlist"));
  return event.code == "library" ? say(QT_TRANSLATE_NOOP("Event", "Library")) : say(QT_TRANSLATE_NOOP("Event", "Wall"));
}

State state_of(const Event& event) {
  if (event.severity == Severity::error) return State::crit;
  if (event.severity == Severity::warning) return State::warn;
  return event.code.endsWith("-ended") || event.code.endsWith("-back") ? State::ok : State::note;
}

}  // namespace lw
