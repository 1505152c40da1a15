// What a client has for a server off loopback: by what it knows that it is the right one, and a token to be let in.
#pragma once

#include "common/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace lw {

enum class TlsUse : std::uint8_t {
  off_loopback,
  always,  // for tests
  never,   // with a server that asks for addresses only: wall-probe serve
};

// In the order in which they are asked.
struct Credentials {
  std::filesystem::path ca;             // certificates (PEM) to verify the server with; empty: none
  std::string fingerprint;              // of the wall file; empty: none
  std::filesystem::path known_servers;  // of the state folder; a server that is met first is written into it
  std::string token;                    // empty: none
  TlsUse tls = TlsUse::off_loopback;
};

// What a command line says; `state` as state_folder() takes it. Of a server on loopback nothing is needed, and nothing
// is looked for.
struct CredentialOptions {
  std::string ca;
  std::string token_file;
  std::string state;
  TlsUse tls = TlsUse::off_loopback;
};
Result<Credentials> credentials_for(const std::string& host, const CredentialOptions& options,
                                    const std::string& fingerprint = {});

// Of the file, or else of the environment variable LAMBDAWALL_TOKEN; empty where there is none.
Result<std::string> read_token(const std::string& file);

// Whether this is the server at `where` ("HOST:PORT"); one that is met first is remembered, and said in the log. Not
// for those with a CA, which the TLS library asks.
Result<void> check_server(const Credentials& credentials, const std::string& where, const std::string& fingerprint);

}  // namespace lw
