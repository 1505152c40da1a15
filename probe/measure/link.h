// The link that the packets of a local address go over. Any thread.
#pragma once

#include <optional>
#include <string>

namespace lw {

struct Link {
  bool ethernet = false;
  std::optional<unsigned> mtu;
};

// Of the interface that has this numeric address, in this network namespace; nothing if none has.
std::optional<Link> link_of(const std::string& address);
// The address that packets to a host leave from; nothing without a route.
std::optional<std::string> address_towards(const std::string& host);

}  // namespace lw
