#include "wall-control/sessions/session.h"

#include "common/base/printable.h"

#include <QCoreApplication>
#include <QJsonDocument>

#include <algorithm>
#include <array>

namespace lw {
namespace {

constexpr std::array kinds{"session", "info", "library", "state", "stats", "event"};

Error not_a_line() { return {QCoreApplication::translate("Session", "no line of a session").toStdString(), ""}; }

}  // namespace

QByteArray to_line(const SessionEntry& entry) {
  return QJsonDocument(QJsonObject{{"t_ms", entry.time_ms}, {kinds[static_cast<std::size_t>(entry.kind)], entry.body}})
      .toJson(QJsonDocument::Compact);
}

Result<SessionEntry> entry_from(const QByteArray& line) {
  QJsonParseError problem{};
  const auto document =
      QJsonDocument::fromJson(QByteArray::fromStdString(printable_json(line.toStdString())), &problem);
  if (!document.isObject()) return Error{problem.errorString().toStdString(), ""};
  const auto json = document.object();
  if (!json["t_ms"].isDouble() || json.size() != 2) return not_a_line();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (json[QLatin1String(kinds[i])].isObject())
      return SessionEntry{static_cast<SessionEntry::Kind>(i), json["t_ms"].toInteger(),
                          json[QLatin1String(kinds[i])].toObject()};
  return not_a_line();
}

SessionEntry session_head(qint64 time_ms, const QString& address) {
  return {SessionEntry::Kind::session,
          time_ms,
          {{"version", session_version},
           {"program", "wall-control"},
           {"program_version", LW_VERSION},
           {"server", address}}};
}

}  // namespace lw
