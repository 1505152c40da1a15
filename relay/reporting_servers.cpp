#include "relay/reporting_servers.h"

#include <algorithm>

namespace lw {

bool ReportingServers::hear(const Address& source, LocalTime now) {
  const auto silent = [&](const Server& server) { return now - server.heard >= silence_before_change; };
  auto place = std::ranges::find_if(servers_, [&](const Server& server) { return server.address.same_host(source); });
  if (place == servers_.end()) {
    if (servers_.size() < most_) {
      servers_.push_back({source, now});
      return true;
    }
    place = std::ranges::find_if(servers_, silent);
    if (place == servers_.end()) return false;
  }
  if (place->address != source && !silent(*place)) return false;
  *place = {source, now};
  return true;
}

std::span<const ReportingServers::Server> ReportingServers::next_asked(LocalTime now) {
  for (std::size_t i = 1; i <= servers_.size(); ++i) {
    const auto next = (asked_ + i) % servers_.size();
    if (now - servers_[next].heard >= reports_missed) continue;
    asked_ = next;
    return all().subspan(next, 1);
  }
  if (servers_.empty()) return {};
  asked_ = (asked_ + 1) % servers_.size();
  return all().subspan(asked_, 1);
}

}  // namespace lw
