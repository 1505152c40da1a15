#include "common/access/failure_limiter.h"

#include "common/access/peer_address.h"

#include <algorithm>

namespace lw {

std::optional<std::chrono::seconds> FailureLimiter::wait(const std::string& host, LocalTime now) const {
  const auto found = hosts_.find(network_of(host));
  if (found == hosts_.end() || !found->second.until || now >= *found->second.until) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(*found->second.until - now);
}

void FailureLimiter::failed(const std::string& host, LocalTime now) {
  const auto network = network_of(host);
  if (!hosts_.contains(network)) make_room(now);
  auto& failures = hosts_[network];
  failures.until.reset();  // who waits is not looked at, so that this is over
  failures.times[failures.count++ % failures_max] = now;
  if (failures.count < failures_max) return;
  if (const auto oldest = failures.times[failures.count % failures_max]; now - oldest < span)
    failures = {{}, 0, now + span};
}

// Those who waited long enough are forgotten; of a crowd, who failed longest ago.
void FailureLimiter::make_room(LocalTime now) {
  if (hosts_.size() < hosts_max_) return;
  const auto since = [](const Failures& failures) {
    return failures.until ? *failures.until - span : failures.newest();
  };
  std::erase_if(hosts_, [&](const auto& host) { return now - since(host.second) >= span; });
  if (hosts_.size() < hosts_max_) return;
  hosts_.erase(std::ranges::min_element(hosts_, {}, [&](const auto& host) { return since(host.second); }));
}

}  // namespace lw
