// The trusted certificates: a file with a line `HOST:PORT sha256:...` for each server, which all programs of
// this user share (docs/security.md).
#pragma once

#include "common/base/result.h"

#include <QByteArray>
#include <QString>

namespace lw {

class KnownServers {
public:
  KnownServers() = default;
  explicit KnownServers(QString file) : file_(std::move(file)) {}

  // The file in `folder`, or in the default place for state. Errors with it are reported when a line is added.
  static KnownServers in(const QString& folder);

  [[nodiscard]] const QString& file() const { return file_; }
  // Empty: not known.
  [[nodiscard]] Result<QString> fingerprint_of(const QString& server) const;
  Result<void> add(const QString& server, const QString& fingerprint) const;

private:
  QString file_;
  QString problem_;
};

// "sha256:" and 64 hex digits over the DER form of a certificate.
QString fingerprint_of(const QByteArray& der);

}  // namespace lw
