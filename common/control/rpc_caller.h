// Calls methods of a control plane one after the other, and waits for each answer. For programs that have nothing else
// to do meanwhile. One thread.
#pragma once

#include "common/base/result.h"
#include "common/control/rpc.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace lw {

class RpcCaller {
public:
  // `where`: "ADDRESS:PORT", numeric. Waits until connected, or until it is plain that nobody is there. `stop` ends
  // every wait.
  static Result<std::unique_ptr<RpcCaller>> connect(const std::string& where, const std::atomic<bool>& stop,
                                                    std::chrono::milliseconds patience = std::chrono::seconds{10});
  virtual ~RpcCaller() = default;
  virtual Result<Json> call(std::string_view method, const Json& params) = 0;
};

}  // namespace lw
