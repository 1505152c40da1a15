#include "wall-control/link/roles.h"

#include <QSet>

namespace lw {

Role role_named(const QString& name) {
  for (const auto role : {Role::view, Role::operate, Role::administer})
    if (name == name_of(role)) return role;
  return Role::none;
}

QString name_of(Role role) {
  switch (role) {
    case Role::view:
      return "view";
    case Role::operate:
      return "operate";
    case Role::administer:
      return "administer";
    case Role::none:
      break;
  }
  return "none";
}

Role role_in(const QJsonObject& info) {
  const auto you = info["you"];
  return you.isObject() ? role_named(you["role"].toString()) : Role::administer;
}

Role role_needed(const QString& method, const QJsonObject& params) {
  static const QSet<QString> view{"info",        "list",  "image", "plan",     "state",    "subscribe",
                                  "unsubscribe", "stats", "trace", "machines", "placement"};
  static const QSet<QString> operate{"load", "play",     "pause", "stop",     "seek", "rate",
                                     "loop", "playlist", "next",  "identify", "mark", "pattern"};
  if (view.contains(method) || (method == "playlist" && params.isEmpty())) return Role::view;
  return operate.contains(method) ? Role::operate : Role::administer;
}

}  // namespace lw
