#include "wall-control/link/access.h"

#include "wall-control/link/control_url.h"

#include <QFile>
#include <QRegularExpression>

#include <cstdio>

namespace lw {
namespace {

constexpr const char* token_variable = "LAMBDAWALL_TOKEN";
constexpr qint64 token_bytes_max = 4096;

Result<QString> read_token(const std::string& path) {
  QString from = token_variable;
  auto text = qEnvironmentVariable(token_variable);
  if (!path.empty()) {
    from = QString::fromStdString(path);
    QFile file(from);
    if (!file.open(QIODevice::ReadOnly))
      return Error{"cannot read " + path + ": " + file.errorString().toStdString(), "correct --token-file"};
    text = QString::fromLatin1(file.read(token_bytes_max));
  }
  text = text.trimmed();
  if (is_token(text) || (text.isEmpty() && path.empty())) return text;
  return Error{from.toStdString() + " holds no token",
               "put in what wall-server --add-token printed: lw- and 64 hex digits"};
}

}  // namespace

bool is_token(const QString& text) {
  static const QRegularExpression form("\\Alw-[0-9a-f]{64}\\z");
  return form.match(text).hasMatch();
}

Result<Access> access_of(const AccessOptions& options) {
  const auto token = read_token(options.token_file);
  if (!token) return token.error();
  return Access{*token,
                {QString::fromStdString(options.ca_file), KnownServers::in(QString::fromStdString(options.state))}};
}

bool believe_aloud(const Refusal& refusal, const QString& address, const KnownServers& known) {
  if (refusal.kind != Refusal::Kind::first_use) return false;
  const auto server = host_and_port(control_url(address));
  if (const auto added = known.add(server, refusal.fingerprint); !added) {
    std::fprintf(stderr, "wall-control: %s\n", added.error().text().c_str());
    return false;
  }
  std::fprintf(
      stderr,
      "wall-control: warning: %s is met for the first time and believed: %s; compare that with what wall-server "
      "--fingerprint prints\n",
      qUtf8Printable(server), qUtf8Printable(refusal.fingerprint));
  return true;
}

}  // namespace lw
