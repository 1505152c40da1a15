#include "common/access/credentials.h"

#include "common/access/known_servers.h"
#include "common/access/peer_address.h"
#include "common/access/private_file.h"
#include "common/access/tokens.h"
#include "common/host/state_folder.h"

#include <spdlog/spdlog.h>

#include <cstdlib>
#include <optional>
#include <utility>

namespace lw {
namespace {

constexpr const char* token_variable = "LAMBDAWALL_TOKEN";

}  // namespace

Result<std::string> read_token(const std::string& file) {
  std::string text;
  std::string from = token_variable;
  if (!file.empty()) {
    const auto read = read_private_file(file);
    if (!read) return Error{read.error().what, "correct --token-file"};
    if (!*read) return Error{"there is no " + file, "correct --token-file"};
    text = **read;
    from = file;
  } else if (const char* value = std::getenv(token_variable); value != nullptr) {
    text = value;
  } else {
    return {boost::system::in_place_value, ""};
  }
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (!is_token(text))
    return Error{from + " contains no token",
                 "write the token printed by wall-server --add-token: lw- and 64 hex digits"};
  return {boost::system::in_place_value, std::move(text)};
}

Result<Credentials> credentials_for(const std::string& host, const CredentialOptions& options,
                                    const std::string& fingerprint) {
  Credentials credentials;
  credentials.tls = options.tls;
  const bool loopback = is_loopback(host) || is_unspecified(host);
  if (options.tls == TlsUse::never || (loopback && options.tls != TlsUse::always)) return credentials;
  const auto token = read_token(options.token_file);
  if (!token) return token.error();
  credentials.ca = options.ca;
  credentials.fingerprint = fingerprint;
  credentials.token = *token;
  if (options.ca.empty() && fingerprint.empty()) {
    const auto folder = state_folder(options.state);
    if (!folder) return folder.error();
    credentials.known_servers = *folder / "known-servers";
  }
  return credentials;
}

Result<void> check_server(const Credentials& credentials, const std::string& where, const std::string& fingerprint) {
  const auto another = [&](const std::string& known, const std::string& mend) {
    return Error{"the certificate of " + where + " is another one (" + fingerprint + ") than " + known, mend};
  };
  if (!credentials.fingerprint.empty()) {
    if (fingerprint == credentials.fingerprint) return {};
    return another("the wall file's", "if this is intended, correct [[server]] fingerprint");
  }
  const auto& file = credentials.known_servers;
  const auto known = known_fingerprint(file, where);
  if (!known) return known.error();
  if (*known == fingerprint) return {};
  if (*known) return another("before", "if this is intended, remove its line from " + file.string());
  if (auto remembered = remember_server(file, where, fingerprint); !remembered) return remembered;
  spdlog::warn(
      "first connection to {}, its certificate is trusted: {}; compare it with the output of wall-server --fingerprint",
      where, fingerprint);
  return {};
}

}  // namespace lw
