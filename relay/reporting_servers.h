// Where a flow's reports come from, and where those of the site's node go: the server and its standby. Of each, one
// port counts; another one of the same host replaces it after it has been silent, as a node does it (docs/protocol.md,
// Accepted sources). One thread.
#pragma once

#include "common/base/units.h"
#include "common/net/address.h"

#include <boost/container/static_vector.hpp>

#include <cstddef>
#include <span>

namespace lw {

class ReportingServers {
public:
  static constexpr std::size_t servers_max = 2;
  static constexpr std::chrono::seconds silence_before_change{5};
  // A server that has not reported for so long is probably gone: it reports every second.
  static constexpr std::chrono::milliseconds reports_missed{2500};

  struct Server {
    Address address;
    LocalTime heard{};
  };

  // `servers`: that may report, at most servers_max.
  explicit ReportingServers(std::size_t servers) : most_(servers) {}

  // A report came from there. False if that is not one of the servers.
  bool hear(const Address& source, LocalTime now);
  // All that have reported.
  [[nodiscard]] std::span<const Server> all() const { return {servers_.data(), servers_.size()}; }
  // To which one the next request for lost packets goes: in turn to those that still report, since one of them may be
  // cut off; to any that has reported if none does. Empty: none has reported.
  [[nodiscard]] std::span<const Server> next_asked(LocalTime now);

private:
  const std::size_t most_;
  boost::container::static_vector<Server, servers_max> servers_;
  std::size_t asked_ = 0;  // the last one
};

}  // namespace lw
