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
  failures.until.reset();  // a blocked host's attempts are not checked, so the time is over
  failures.times[failures.count++ % failures_max] = now;
  if (failures.count < failures_max) return;
  if (const auto oldest = failures.times[failures.count % failures_max]; now - oldest < span)
    failures = {{}, 0, now + span};
}

// Drops hosts whose time is over; if there are too many, the one whose last failure is oldest.
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
