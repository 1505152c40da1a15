#include "wall-control/link/access.h"

#include "common/access/credentials.h"
#include "common/base/print.h"
#include "wall-control/link/control_url.h"

#include <cstdio>

namespace lw {

Result<Access> access_of(const AccessOptions& options) {
  const auto token = read_token(options.token_file);
  if (!token) return token.error();
  return Access{QString::fromStdString(*token),
                {QString::fromStdString(options.ca_file), KnownServers::in(QString::fromStdString(options.state))}};
}

bool believe_aloud(const Refusal& refusal, const QString& address, const KnownServers& known) {
  if (refusal.kind != Refusal::Kind::first_use) return false;
  const auto server = host_and_port(control_url(address));
  if (const auto added = known.add(server, refusal.fingerprint); !added) {
    print_error("wall-control: {}", added.error().text());
    return false;
  }
  print_error(
      "wall-control: warning: {} is met for the first time and believed: {}; compare that with what wall-server "
      "--fingerprint prints",
      qUtf8Printable(server), qUtf8Printable(refusal.fingerprint));
  return true;
}

}  // namespace lw
