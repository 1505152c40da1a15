// A host sends a measurement's packets to the address from which its client calls. It sends them to another address
// only after the client has proved that it receives packets there: the host sends a datagram with a random cookie to
// that address, and the client returns the cookie on its connection. (A reply from the address itself would prove
// nothing, because an echo service sends one too.)
#pragma once

#include "common/base/result.h"
#include "common/base/units.h"
#include "common/net/address.h"
#include "common/net/flood_limit.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lw {

// The sending host's side, for one client.
class AddressProofs {
public:
  static constexpr std::size_t addresses_max = 16;

  // Sends a cookie to each address, from `own` and a port that the kernel chooses.
  Result<void> challenge(const std::string& own, const std::vector<std::string>& addresses, std::uint16_t port,
                         FloodLimit& limit, LocalTime now);
  // Whether one of the cookies belongs to the address.
  [[nodiscard]] bool prove(const Address& address, const std::vector<std::string>& cookies) const;

private:
  Result<std::string> cookie_of(const std::string& address);

  std::map<std::string, std::string> cookies_;  // by the address as text, without port
};

// The client's side: listens on the addresses, has the other side send (`ask`, up to three times), and returns the
// cookies that arrived.
Result<std::vector<std::string>> take_cookies(const std::vector<std::string>& addresses, std::uint16_t port,
                                              const std::function<Result<void>()>& ask);

}  // namespace lw
