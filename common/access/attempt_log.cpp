#include "common/access/attempt_log.h"

#include "common/access/peer_address.h"

#include <fmt/format.h>

namespace lw {
namespace {

constexpr std::chrono::seconds look_interval{1};
constexpr std::string_view all_others = "others";

}  // namespace

AttemptLog::~AttemptLog() {
  for (auto& [key, caller] : callers_) tell_caller(caller);
}

void AttemptLog::add(const AuditEntry& entry, std::string_view host, LocalTime now) {
  if (now - told_ >= look_interval) tell(now);
  auto* caller = caller_of(entry, host, now);
  if (now - caller->began >= interval) {
    tell_caller(*caller);
    caller->began = now;
    log_.write(entry);
    return;
  }
  ++caller->held;
  caller->name = entry.name;
  caller->role = entry.role;
  caller->address = entry.address;
  caller->method = entry.method;
  caller->outcome = entry.outcome;
}

AttemptLog::Caller* AttemptLog::caller_of(const AuditEntry& entry, std::string_view host, LocalTime now) {
  auto key = fmt::format("{} {} {}", network_of(std::string(host)), entry.name, entry.method);
  if (const auto found = callers_.find(key); found != callers_.end()) return &found->second;
  if (callers_.size() >= callers_max) tell(now);
  if (callers_.size() >= callers_max) key = all_others;
  auto& caller = callers_[std::move(key)];
  if (caller.began == LocalTime{}) caller.began = now - interval;
  return &caller;
}

void AttemptLog::tell(LocalTime now) {
  told_ = now;
  for (auto caller = callers_.begin(); caller != callers_.end();) {
    const bool over = now - caller->second.began >= interval;
    if (over && caller->second.held == 0) {
      caller = callers_.erase(caller);
      continue;
    }
    if (over) {
      tell_caller(caller->second);
      caller->second.began = now;
    }
    ++caller;
  }
}

void AttemptLog::tell_caller(Caller& caller) {
  if (caller.held == 0) return;
  static const Json no_params = Json::object();
  log_.write({caller.name, caller.role, caller.address, caller.method, no_params, caller.outcome, caller.held});
  caller.held = 0;
}

}  // namespace lw
