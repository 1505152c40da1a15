// The connection to a `wall-probe serve` on another host.
#pragma once

#include "common/access/credentials.h"
#include "common/base/json.h"
#include "common/base/result.h"
#include "common/web/rpc_caller.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lw {

inline constexpr std::uint16_t probe_port = 9020;

struct ServingProbe {
  std::unique_ptr<RpcCaller> caller;
  std::string host;  // as given by the caller
  std::string name;  // including its port
};

// `where`: "ADDRESS" or "ADDRESS:PORT", numeric, because measurements must not depend on DNS. Uses TLS if there is a
// token, as the other side then requires; without a token, the other side accepts clients by their addresses.
Result<ServingProbe> call_probe(const std::string& where, const std::atomic<bool>& stop,
                                const CredentialOptions& credentials);

// Errors name the probe.
Result<Json> call(const ServingProbe& probe, std::string_view method, const Json& params,
                  std::chrono::milliseconds answer_within = RpcCaller::patience);

struct Greeting {
  std::string own_address;  // of this host, as the other one sees it; numeric
  bool one_host = false;    // the other one is this host, perhaps in another network namespace
};
// An error where the other side is no wall-probe of this version.
Result<Greeting> greet(const ServingProbe& probe);

}  // namespace lw
