#include "server/control/dispatcher.h"

#include "common/access/access_role.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>

namespace lw {
namespace {

constexpr std::size_t name_shown_max = 80;

}  // namespace

std::vector<std::string> Dispatcher::names() const {
  std::vector<std::string> names;
  names.reserve(methods_.size());
  for (const auto& method : methods_) names.push_back(method.name);
  return names;
}

std::string Dispatcher::answer(std::string_view message, const Caller& caller) const {
  auto parsed = parse_rpc(message);
  if (const auto* failure = std::get_if<RpcFailure>(&parsed)) return rpc_failure(*failure);
  const auto* request = std::get_if<RpcRequest>(&parsed);
  if (request == nullptr) return {};  // a response to a request that we never sent
  auto reply = run(*request, caller);
  if (request->notification) return {};
  if (auto* failure = std::get_if<RpcFailure>(&reply)) {
    failure->id = request->id;
    return rpc_failure(*failure);
  }
  auto result = rpc_result(request->id, std::get<Json>(reply));
  // Should never happen; but a value that one caller put into a reply must not lock out operators.
  if (result.size() > reply_bytes_)
    return rpc_failure({request->id, rpc_code::cannot,
                        fmt::format("the answer has {} bytes, more than the {} that one may have; ask for less of it",
                                    result.size(), reply_bytes_)});
  return result;
}

RpcReply Dispatcher::run(const RpcRequest& request, const Caller& caller) const {
  const auto method = std::ranges::find(methods_, request.method, &Method::name);
  if (method == methods_.end())
    return RpcFailure{nullptr, rpc_code::unknown_method,
                      "unknown method '" + request.method.substr(0, name_shown_max) + "'; info lists the methods"};
  const auto visitor = caller.visitor();
  const auto needed = role_needed(request.method);
  if (needed && !may(visitor.role, *needed)) {
    auto words = fmt::format("{} needs the role {}; {} has {}", request.method, name_of(*needed), visitor.name,
                             name_of(visitor.role));
    write_attempt(request, caller, "refused: " + words);
    return RpcFailure{nullptr, rpc_code::forbidden, std::move(words)};
  }
  if (method->if_here)
    if (auto elsewhere = elsewhere_(); !elsewhere.empty())
      return RpcFailure{nullptr, rpc_code::cannot, std::move(elsewhere)};
  // Whatever goes wrong in a call (memory, a file system), the wall must keep playing.
  RpcReply reply;
  try {
    reply = method->run(request.params, caller);
  } catch (const std::exception& exception) {
    spdlog::error("{}: {}", request.method, exception.what());
    reply = RpcFailure{nullptr, rpc_code::internal_error, request.method + " failed: " + exception.what()};
  }
  write_audit(request, caller, std::get_if<RpcFailure>(&reply));
  return reply;
}

// Reports of nodes change nothing. A failed call changed nothing either, unless it works on files or threads: it may
// have failed half-way.
void Dispatcher::write_audit(const RpcRequest& request, const Caller& caller, const RpcFailure* failure) const {
  if (gate_ == nullptr || caller.peer == nullptr) return;
  const auto needed = role_needed(request.method);
  const bool administers = needed == AccessRole::administer;
  if (needed != AccessRole::operate && !administers && request.method != "node.hello") return;
  const auto outcome = failure == nullptr ? "done" : "failed: " + failure->message;
  const bool changed =
      failure == nullptr ? request.method != "node.hello" : administers && failure->code != rpc_code::bad_params;
  if (!changed) return write_attempt(request, caller, outcome);
  gate_->write_change(caller.visitor(), caller.peer->address(), request.method, request.params, outcome);
}

void Dispatcher::write_attempt(const RpcRequest& request, const Caller& caller, std::string_view outcome) const {
  if (gate_ == nullptr || caller.peer == nullptr) return;
  gate_->write_attempt(caller.visitor(), caller.peer->address(), request.method, request.params, outcome,
                       caller.now.local);
}

}  // namespace lw
