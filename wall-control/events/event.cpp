#include "wall-control/events/event.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QStringList>

#include <array>

namespace lw {
namespace {

constexpr std::array names{"info", "warning", "error"};

QString say(const char* text) { return QCoreApplication::translate("Event", text); }

std::optional<int> whole(const QJsonValue& value) {
  return value.isDouble() ? std::optional(value.toInt()) : std::nullopt;
}

}  // namespace

std::optional<Event> to_event(const QJsonObject& json) {
  const auto time = QDateTime::fromString(json["time"].toString(), Qt::ISODateWithMs);
  if (!time.isValid() || !json["text"].isString()) return std::nullopt;
  Event event;
  event.time_ms = time.toMSecsSinceEpoch();
  event.number = json["seq"].toInteger();
  const auto severity = json["severity"].toString();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (severity == names[i]) event.severity = static_cast<Severity>(i);
  event.code = json["code"].toString();
  event.text = json["text"].toString();
  event.node = json["node"].toString();
  const auto tile = json["tile"].toArray();
  event.column = whole(tile.at(0));
  event.row = whole(tile.at(1));
  event.flow = whole(json["flow"]);
  return event;
}

QJsonObject to_json(const Event& event) {
  QJsonObject json{{"seq", event.number},
                   {"time", QDateTime::fromMSecsSinceEpoch(event.time_ms, Qt::UTC).toString(Qt::ISODateWithMs)},
                   {"severity", name_of(event.severity)},
                   {"code", event.code},
                   {"text", event.text}};
  if (!event.node.isEmpty()) json["node"] = event.node;
  if (event.column && event.row) json["tile"] = QJsonArray{*event.column, *event.row};
  if (event.flow) json["flow"] = *event.flow;
  return json;
}

Event own_event(Severity severity, const QString& code, const QString& text) {
  Event event;
  event.time_ms = QDateTime::currentMSecsSinceEpoch();
  event.severity = severity;
  event.code = code;
  event.text = text;
  return event;
}

QString name_of(Severity severity) { return QString::fromLatin1(names[static_cast<std::size_t>(severity)]); }

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
    parts << say(QT_TRANSLATE_NOOP("Event", "tile %1,%2")).arg(*event.column).arg(*event.row);
  if (event.flow) parts << say(QT_TRANSLATE_NOOP("Event", "flow %1")).arg(*event.flow);
  return parts.join(", ");
}

}  // namespace lw
