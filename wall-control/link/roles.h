// What a token may do, as the server tells it (`you` of `info`), and what each method needs (docs/protocol.md). The
// server decides; this lets the window offer only what it would allow.
#pragma once

#include <QJsonObject>
#include <QString>

namespace lw {

enum class Role : unsigned char { none, view, operate, administer };

Role role_named(const QString& name);
QString name_of(Role role);
// Of the connection. A server that does not tell knows no roles: everything is allowed.
Role role_in(const QJsonObject& info);
// What is not known to need less is taken to need the most.
Role role_needed(const QString& method, const QJsonObject& params = {});

}  // namespace lw
