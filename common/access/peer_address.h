// What the address of a peer says of it.
#pragma once

#include <string>

namespace lw {

// Of this host. `host` is numeric, without a port; anything else is not.
bool is_loopback(const std::string& host);
// Any address of this host: what "0.0.0.0" and "::" mean.
bool is_unspecified(const std::string& host);
// Numeric ones that are the same, however they are written.
bool is_same_address(const std::string& a, const std::string& b);
// Who has one IPv6 address has its network's 2^64: they count as one. An IPv4 address is itself.
std::string network_of(const std::string& host);

}  // namespace lw
