// Options for certificates and tokens, from the command line and the environment.
#pragma once

#include "wall-control/link/door.h"

#include <string>

namespace lw {

struct AccessOptions {
  std::string token_file;
  std::string ca_file;
  std::string state;  // folder; empty: the default place for state
};

struct Access {
  QString token;  // empty: none
  Trust trust;
};

// The token is read from its file, else from LAMBDAWALL_TOKEN.
Result<Access> access_of(const AccessOptions& options);
// For programs without an operator: trusts a server's certificate at first use, and reports it on stderr.
// False if no certificate can be trusted, or it cannot be saved.
bool believe_aloud(const Refusal& refusal, const QString& address, const KnownServers& known);

}  // namespace lw
