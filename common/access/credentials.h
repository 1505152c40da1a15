// What a client needs for a server off loopback: the means to recognize the server, and a token.
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lw {

enum class TlsUse : std::uint8_t {
  off_loopback,
  always,  // for tests
  never,   // for servers that check only addresses: wall-probe serve
};

// In the order in which they are used.
struct Credentials {
  std::filesystem::path ca;             // certificates (PEM) to verify the server; empty: none
  std::string fingerprint;              // from the wall file; empty: none
  std::filesystem::path known_servers;  // in the state folder; new servers are added to it
  std::string token;                    // empty: none
  TlsUse tls = TlsUse::off_loopback;
};

// Options from a command line; `state` as in state_folder(). A server on loopback needs none of them, and none are
// looked up.
struct CredentialOptions {
  std::string ca;
  std::string token_file;
  std::string state;
  TlsUse tls = TlsUse::off_loopback;
};
Result<Credentials> credentials_for(const std::string& host, const CredentialOptions& options,
                                    const std::string& fingerprint = {});

// From the file, or else from the environment variable LAMBDAWALL_TOKEN; empty if there is none.
Result<std::string> read_token(const std::string& file);

// Checks whether this is the server at `where` ("HOST:PORT"). A new server is remembered and logged. Not used with a
// CA, which the TLS library checks.
Result<void> check_server(const Credentials& credentials, const std::string& where, const std::string& fingerprint);

}  // namespace lw
