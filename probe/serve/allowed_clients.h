// The addresses and networks of clients that may measure with this host. Programs on this host always may.
#pragma once

#include "common/base/result.h"
#include "common/net/address.h"

#include <string>
#include <vector>

namespace lw {

class AllowedClients {
public:
  // "10.0.0.7", "10.0.0.0/24", "fd00::/64".
  static Result<AllowedClients> parse(const std::vector<std::string>& networks);
  [[nodiscard]] bool has(const Address& client) const;

private:
  struct Network {
    Address address;
    unsigned bits;
  };
  std::vector<Network> networks_;
};

}  // namespace lw
