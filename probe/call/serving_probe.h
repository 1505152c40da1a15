// A `wall-probe serve` on another host, to be called.
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
  std::string host;  // as it was called
  std::string name;  // with its port
};

// `where`: "ADDRESS" or "ADDRESS:PORT", numeric: a wall that is measured must not depend on DNS. With a token by TLS,
// as the other side wants it then; without one it knows whom it lets in by the address.
Result<ServingProbe> call_probe(const std::string& where, const std::atomic<bool>& stop,
                                const CredentialOptions& credentials);

}  // namespace lw
