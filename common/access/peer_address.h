// Properties of a peer's address.
#pragma once

#include <string>

namespace lw {

// Whether it belongs to this host. `host` must be numeric and without a port; anything else does not.
bool is_loopback(const std::string& host);
// Whether it means any address of this host: "0.0.0.0" and "::".
bool is_unspecified(const std::string& host);
// Whether two numeric addresses are the same, in any notation.
bool is_same_address(const std::string& a, const std::string& b);
// A host with one IPv6 address controls the 2^64 of its network, which count as one. An IPv4 address is returned as is.
std::string network_of(const std::string& host);

}  // namespace lw
