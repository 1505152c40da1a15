// Dispatches messages to the methods of the control plane: finds the method by name, checks the caller's role, runs it
// and writes the audit log. Control thread only.
#pragma once

#include "common/access/gate.h"
#include "common/messages/message.h"
#include "server/control/call.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

class Dispatcher {
public:
  // `gate` keeps the audit log and must outlive this object; null: no audit log. A reply longer than `reply_bytes` is
  // replaced by an error.
  Dispatcher(Gate* gate, std::size_t reply_bytes) : gate_(gate), reply_bytes_(reply_bytes) {}

  // Adds a method of a group: a small object that is copied and refers to the parts its methods work on. A method whose
  // params are a message is called only if they are valid. common/access/access_role has the role that a method needs,
  // docs/protocol.md its description; a test compares all three.
  template <class Group>
  void offer(std::string_view name, const Group& group,
             RpcReply (Group::*method)(const Json& params, const Caller& caller) const) {
    methods_.push_back(
        {std::string(name),
         [group, method](const Json& params, const Caller& caller) { return (group.*method)(params, caller); },
         elsewhere_ != nullptr});
  }
  template <class Group, IsMessage Request>
  void offer(std::string_view name, const Group& group,
             RpcReply (Group::*method)(const Request& request, const Caller& caller) const) {
    methods_.push_back({std::string(name),
                        [group, method](const Json& params, const Caller& caller) -> RpcReply {
                          const auto request = read_message<Request>(params);
                          if (!request) return bad_params(request.error().what);
                          return (group.*method)(*request, caller);
                        },
                        elsewhere_ != nullptr});
  }
  [[nodiscard]] std::vector<std::string> names() const;
  // The methods that are offered from now on are those of the wall's coordinator. `elsewhere` says where that is;
  // empty: here.
  void offer_if_here(std::function<std::string()> elsewhere) { elsewhere_ = std::move(elsewhere); }

  // Answers one message; empty if it needs no answer.
  std::string answer(std::string_view message, const Caller& caller) const;

private:
  struct Method {
    std::string name;
    std::function<RpcReply(const Json& params, const Caller& caller)> run;
    bool if_here = false;
  };
  [[nodiscard]] RpcReply run(const RpcRequest& request, const Caller& caller) const;
  void write_audit(const RpcRequest& request, const Caller& caller, const RpcFailure* failure) const;  // null: success
  void write_attempt(const RpcRequest& request, const Caller& caller, std::string_view outcome) const;

  Gate* const gate_;
  const std::size_t reply_bytes_;
  std::vector<Method> methods_;
  std::function<std::string()> elsewhere_;
};

}  // namespace lw
