// The link that packets of a local address use. Any thread.
#pragma once

#include <optional>
#include <string>

namespace lw {

struct Link {
  bool ethernet = false;
  std::optional<unsigned> mtu;
};

// For the interface with this numeric address, in this network namespace; empty if there is none.
std::optional<Link> link_of(const std::string& address);
// The source address of packets to a host; empty without a route.
std::optional<std::string> address_towards(const std::string& host);

}  // namespace lw
