// Calls methods of a control plane one by one, and waits for each answer. For programs that have nothing else to do
// meanwhile. One thread.
#pragma once

#include "common/access/credentials.h"
#include "common/base/result.h"
#include "common/messages/rpc.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace lw {

class RpcCaller {
public:
  static constexpr std::chrono::seconds patience{10};

  // `where`: "ADDRESS:PORT", numeric. Waits until connected, or until the connection has failed. `stop` ends this wait,
  // but not the wait for an answer. Uses TLS off loopback, with `credentials`.
  static Result<std::unique_ptr<RpcCaller>> connect(const std::string& where, const std::atomic<bool>& stop,
                                                    const CredentialOptions& credentials = {});
  virtual ~RpcCaller() = default;
  virtual Result<Json> call(std::string_view method, const Json& params,
                            std::chrono::milliseconds answer_within = patience) = 0;
};

}  // namespace lw
