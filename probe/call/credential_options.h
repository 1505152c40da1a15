// Options for calls to a server or a `wall-probe serve` on another host: how to authenticate, and how to recognize it.
#pragma once

#include "common/access/credentials.h"
#include "common/command_line/command_line.h"

#include <CLI/CLI.hpp>

namespace lw {

inline void add_credential_options(CLI::App& app, CredentialOptions& credentials) {
  begin_group(app, "Server on another host");
  app.add_option("--token-file", credentials.token_file,
                 "The token for a server on another host (default: $LAMBDAWALL_TOKEN)")
      ->option_text("FILE");
  app.add_option("--ca", credentials.ca,
                 "Certificates (PEM) of its CA (default: trust the certificate of the first connection)")
      ->option_text("FILE");
  app.add_option("--state", credentials.state,
                 "Folder for known servers (default: $STATE_DIRECTORY or ~/.local/state/lambdawall)")
      ->option_text("DIR");
}

}  // namespace lw
