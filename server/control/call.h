// One call of a method: its caller, its time and its reply.
#pragma once

#include "common/base/moment.h"
#include "common/messages/rpc.h"
#include "common/web/web_server.h"

#include <string>
#include <utility>
#include <variant>

namespace lw {

using RpcReply = std::variant<Json, RpcFailure>;

struct Caller {
  Moment now;
  WebPeer* peer = nullptr;  // null: a program on this host that has no connection (ControlService::answer)

  [[nodiscard]] Visitor visitor() const { return peer == nullptr ? Visitor() : peer->visitor(); }
};

inline RpcFailure bad_params(std::string what) { return {nullptr, rpc_code::bad_params, std::move(what)}; }
inline RpcFailure cannot(const Error& error) { return {nullptr, rpc_code::cannot, error.text()}; }

}  // namespace lw
