// The connection to a `wall-probe serve` on another host.
#pragma once

#include "common/access/credentials.h"
#include "common/base/result.h"
#include "common/web/rpc_caller.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

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

}  // namespace lw
