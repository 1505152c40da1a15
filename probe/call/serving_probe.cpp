#include "probe/call/serving_probe.h"

#include "common/base/whole_number.h"
#include "common/clock/kernel_clock.h"
#include "common/messages/rpc.h"
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

Result<Json> call(const ServingProbe& probe, std::string_view method, const Json& params,
                  std::chrono::milliseconds answer_within) {
  auto answer = probe.caller->call(method, params, answer_within);
  if (!answer) return Error(answer.error()).in(probe.name);
  return answer;
}

Result<Greeting> greet(const ServingProbe& probe) {
  const auto hello = call(probe, "hello", {{"version", protocol_version}});
  if (!hello) return hello.error();
  const auto address = hello->find("your_address");
  if (address == hello->end() || !address->is_string() || !Address::parse(address->get<std::string>(), 0))
    return Error{probe.name + " answered, but is no wall-probe serve", "check the port"};
  const auto boot = hello->find("boot_id");
  const bool one_host = boot != hello->end() && boot->is_string() && !boot_id().empty() && *boot == boot_id();
  return Greeting{address->get<std::string>(), one_host};
}

}  // namespace lw
