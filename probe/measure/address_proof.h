// A host sends a measurement's packets to the address that its client calls from. To another one it sends them once the
// client has shown that it reads what is sent there: the host sends a datagram with a random cookie to that address,
// and the client hands the cookie back on its connection. (An answer from there proves nothing: an echo service would
// also give one.)
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

// The sending host's side, of one client.
class AddressProofs {
public:
  static constexpr std::size_t addresses_max = 16;

  // Sends each a cookie, from `own` and from a port that the kernel chooses.
  Result<void> challenge(const std::string& own, const std::vector<std::string>& addresses, std::uint16_t port,
                         FloodLimit& limit, LocalTime now);
  // Whether one of the cookies is that of the address.
  [[nodiscard]] bool prove(const Address& address, const std::vector<std::string>& cookies) const;

private:
  Result<std::string> cookie_of(const std::string& address);

  std::map<std::string, std::string> cookies_;  // by the address's text, without port
};

// The client's side: listens at the addresses, has the other side send (`ask`, up to three times), and returns the
// cookies that came.
Result<std::vector<std::string>> take_cookies(const std::vector<std::string>& addresses, std::uint16_t port,
                                              const std::function<Result<void>()>& ask);

}  // namespace lw
