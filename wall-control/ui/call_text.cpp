#include "wall-control/ui/call_text.h"

#include <QJsonDocument>
#include <QStringList>

namespace lw {
namespace {

QString compact(const QJsonObject& json) {
  return QString::fromUtf8(QJsonDocument(json).toJson(QJsonDocument::Compact));
}

}  // namespace

QString as_command_line(const QString& address, const std::vector<ControlLink::Call>& calls) {
  QStringList lines;
  for (const auto& call : calls) {
    auto line = QString("wall-control --connect %1 --call %2").arg(address, call.method);
    if (!call.params.isEmpty()) line += QString(" '%1'").arg(compact(call.params).replace("'", "'\\''"));
    lines << line;
  }
  return lines.join('\n');
}

QString as_json_rpc(const std::vector<ControlLink::Call>& calls) {
  QStringList lines;
  for (const auto& call : calls)
    lines << compact({{"jsonrpc", "2.0"}, {"id", lines.size() + 1}, {"method", call.method}, {"params", call.params}});
  return lines.join('\n');
}

}  // namespace lw
