#include "wall-control/link/known_servers.h"

#include "common/access/known_servers.h"
#include "common/base/fingerprint.h"
#include "common/host/state_folder.h"

#include <QCryptographicHash>

namespace lw {

KnownServers KnownServers::in(const QString& folder) {
  KnownServers known;
  const auto found = state_folder(folder.toStdString());
  if (found)
    known.file_ = QString::fromStdString((*found / "known-servers").string());
  else
    known.problem_ = QString::fromStdString(found.error().text());
  return known;
}

Result<QString> KnownServers::fingerprint_of(const QString& server) const {
  if (file_.isEmpty()) return QString();
  const auto known = known_fingerprint(file_.toStdString(), server.toStdString());
  if (!known) return known.error();
  return QString::fromStdString(known->value_or(""));
}

Result<void> KnownServers::add(const QString& server, const QString& fingerprint) const {
  if (file_.isEmpty()) return Error{problem_.toStdString(), ""};
  return remember_server(file_.toStdString(), server.toStdString(), fingerprint.toStdString());
}

QString fingerprint_of(const QByteArray& der) {
  return QString::fromUtf8(fingerprint_prefix.data(), fingerprint_prefix.size()) +
         QCryptographicHash::hash(der, QCryptographicHash::Sha256).toHex();
}

}  // namespace lw
