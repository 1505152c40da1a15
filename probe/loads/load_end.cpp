#include "probe/loads/load_end.h"

namespace lw {

Result<EndAddresses::OfFlow> EndAddresses::of_flow(unsigned flow, std::uint16_t port) const {
  const auto peer = Address::parse(to, port);
  if (!peer) return peer.error();
  if (from.empty()) return OfFlow{Address::any(peer->is_ipv6(), 0), *peer};
  const auto local = Address::parse(from[flow % from.size()], 0);
  if (!local) return local.error();
  return OfFlow{*local, *peer};
}

}  // namespace lw
