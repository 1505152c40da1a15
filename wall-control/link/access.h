// What a command line and the environment say of certificates and tokens.
#pragma once

#include "wall-control/link/door.h"

#include <string>

namespace lw {

struct AccessOptions {
  std::string token_file;
  std::string ca_file;
  std::string state;  // folder; empty: where programs keep their state
};

struct Access {
  QString token;  // empty: none
  Trust trust;
};

// The token is read from its file, else from LAMBDAWALL_TOKEN.
Result<Access> access_of(const AccessOptions& options);
// For programs that nobody watches: takes the certificate of a server for its own at first use, and says so on stderr.
// False where there is nothing to believe, or it cannot be remembered.
bool believe_aloud(const Refusal& refusal, const QString& address, const KnownServers& known);

}  // namespace lw
