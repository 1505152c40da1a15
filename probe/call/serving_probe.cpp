#include "probe/call/serving_probe.h"

#include "common/base/whole_number.h"
#include "common/net/address.h"

namespace lw {

Result<ServingProbe> call_probe(const std::string& where, const std::atomic<bool>& stop,
                                const CredentialOptions& credentials) {
  auto parts = split_host_port(where);
  if (!parts) parts = HostAndPort{where, std::to_string(probe_port)};
  const auto port = whole_number<std::uint16_t>(parts->port);
  if (!port || !Address::parse(parts->host, *port))
    return Error{where + " is not a numeric address", "write it like 10.0.0.2 or 10.0.0.2:9020"};
  const auto name = Address::parse(parts->host, *port)->text();
  const auto token = read_token(credentials.token_file);
  if (!token) return token.error();
  auto how = credentials;
  if (token->empty()) how.tls = TlsUse::never;
  auto caller = RpcCaller::connect(name, stop, how);
  if (!caller && how.tls != TlsUse::never) return caller.error();
  if (!caller)
    return Error{caller.error().what,
                 "start wall-probe serve there, and open its port in the firewall; without --allow it requires a "
                 "token: --token-file"};
  return ServingProbe{std::move(*caller), parts->host, name};
}

}  // namespace lw
