#include "common/access/peer_address.h"

#include "common/access/digest.h"

#include <boost/asio/ip/address.hpp>

#include <optional>

namespace lw {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> parse(const std::string& host) {
  boost::system::error_code error;
  auto address = ip::make_address(host, error);
  if (error) return std::nullopt;
  // The form in which a dual-stack socket reports an IPv4 peer.
  if (address.is_v6() && address.to_v6().is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  return address;
}

}  // namespace

bool is_loopback(const std::string& host) {
  const auto address = parse(host);
  return address && address->is_loopback();
}

bool is_unspecified(const std::string& host) {
  const auto address = parse(host);
  return address && address->is_unspecified();
}

bool is_same_address(const std::string& a, const std::string& b) {
  // A request does not name this host's zone ("fe80::1%eth0").
  const auto first = parse(a.substr(0, a.find('%')));
  return first && first == parse(b.substr(0, b.find('%')));
}

std::string network_of(const std::string& host) {
  const auto address = parse(host);
  if (!address) return host;
  if (address->is_v4()) return address->to_string();
  const auto bytes = address->to_v6().to_bytes();
  return hex({reinterpret_cast<const char*>(bytes.data()), bytes.size() / 2});
}

}  // namespace lw
