#include "probe/serve/allowed_clients.h"

#include "common/base/whole_number.h"

namespace lw {
namespace {

bool is_within(const Address& client, const Address& network, unsigned bits) {
  const auto a = client.host_bytes();
  const auto b = network.host_bytes();
  if (a.size() != b.size()) return false;
  for (unsigned bit = 0; bit < bits; ++bit) {
    const auto mask = std::byte{0x80} >> (bit % 8);
    if (((a[bit / 8] ^ b[bit / 8]) & mask) != std::byte{0}) return false;
  }
  return true;
}

}  // namespace

Result<AllowedClients> AllowedClients::parse(const std::vector<std::string>& networks) {
  AllowedClients allowed;
  for (const auto& text : networks) {
    const auto slash = text.find('/');
    const auto address = Address::parse(text.substr(0, slash), 0);
    if (!address) return Error{"--allow " + text + " is not an address", "write 10.0.0.7 or 10.0.0.0/24"};
    const auto most = static_cast<unsigned>(address->host_bytes().size() * 8);
    const auto bits =
        slash == std::string::npos ? most : whole_number<unsigned>(text.substr(slash + 1)).value_or(most + 1);
    if (bits > most) return Error{"--allow " + text + " is not a network", "write 10.0.0.7 or 10.0.0.0/24"};
    allowed.networks_.push_back({*address, bits});
  }
  return allowed;
}

bool AllowedClients::has(const Address& client) const {
  if (is_within(client, Address::parse("127.0.0.0", 0).value(), 8)) return true;
  if (is_within(client, Address::parse("::1", 0).value(), 128)) return true;
  for (const auto& network : networks_)
    if (is_within(client, network.address, network.bits)) return true;
  return false;
}

}  // namespace lw
