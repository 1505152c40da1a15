#include "wall-control/link/known_servers.h"

#include "common/host/state_folder.h"

#include <QCryptographicHash>
#include <QFile>

namespace lw {
namespace {

constexpr qint64 file_bytes_max = 1 << 20;

Error unreadable(const QFile& file) {
  return {QString("cannot read %1: %2").arg(file.fileName(), file.errorString()).toStdString(),
          "it lists the servers whose certificates were believed; mend or remove it"};
}

}  // namespace

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
  QFile file(file_);
  if (file_.isEmpty() || !file.exists()) return QString();
  // What cannot be read might hold another certificate.
  if (!file.open(QIODevice::ReadOnly)) return unreadable(file);
  for (const auto& line : file.read(file_bytes_max).split('\n')) {
    const auto words = line.simplified().split(' ');
    if (words.size() == 2 && QString::fromUtf8(words[0]) == server) return QString::fromUtf8(words[1]);
  }
  return QString();
}

Result<void> KnownServers::add(const QString& server, const QString& fingerprint) const {
  if (file_.isEmpty()) return Error{problem_.toStdString(), ""};
  QFile file(file_);
  const bool fresh = !file.exists();
  const auto line = QString("%1 %2\n").arg(server, fingerprint).toUtf8();
  const bool written = file.open(QIODevice::Append) &&
                       (!fresh || file.setPermissions(QFile::ReadOwner | QFile::WriteOwner)) &&
                       file.write(line) == line.size() && file.flush();
  if (!written)
    return Error{QString("cannot write %1: %2").arg(file_, file.errorString()).toStdString(),
                 "the certificate would have to be believed again each time"};
  return {};
}

QString fingerprint_of(const QByteArray& der) {
  return "sha256:" + QCryptographicHash::hash(der, QCryptographicHash::Sha256).toHex();
}

}  // namespace lw
