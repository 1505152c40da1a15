#include "probe/measure/address_proof.h"

#include "common/access/digest.h"
#include "common/net/udp_socket.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <string_view>

namespace lw {
namespace {

constexpr std::size_t cookie_bytes = 16;
constexpr std::string_view datagram_prefix = "wall-probe cookie ";  // explains the datagram in captures
constexpr int attempts = 3;
constexpr std::chrono::milliseconds answer_within{500};

std::string host_text(const Address& address) { return address.with_port(0).text(); }

// Proof for a group's address would cover only the sender's neighbours, not all who would receive the packets.
bool is_unicast(const Address& address) {
  const auto bytes = address.host_bytes();
  const auto first = std::to_integer<unsigned>(bytes[0]);
  return address.is_ipv6() ? first != 0xff : first > 0 && first < 224;
}

struct Listener {
  std::string address;
  UdpSocket socket;
  std::string cookie;
};

void read_cookie(Listener& listener) {
  std::array<std::byte, 256> buffer{};
  while (const auto datagram = listener.socket.receive_now(buffer)) {
    const std::string_view text(reinterpret_cast<const char*>(buffer.data()), datagram->bytes);
    const auto cookie = text.substr(std::min(text.size(), datagram_prefix.size()));
    if (text.starts_with(datagram_prefix) && are_digits(cookie, 2 * cookie_bytes)) listener.cookie = cookie;
  }
}

bool all_have_come(const std::vector<Listener>& listeners) {
  return std::ranges::none_of(listeners, [](const Listener& one) { return one.cookie.empty(); });
}

void listen(std::vector<Listener>& listeners) {
  std::vector<pollfd> waiting;
  for (const auto& listener : listeners) waiting.push_back({listener.socket.fd(), POLLIN, 0});
  const auto until = std::chrono::steady_clock::now() + answer_within;
  while (!all_have_come(listeners)) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0 ||
        (::poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) < 0 && errno != EINTR))
      return;
    for (auto& listener : listeners) read_cookie(listener);
  }
}

}  // namespace

Result<void> AddressProofs::challenge(const std::string& own, const std::vector<std::string>& addresses,
                                      std::uint16_t port, FloodLimit& limit, LocalTime now) {
  if (addresses.size() > addresses_max)
    return Error{fmt::format("{} addresses are more than the {} of one client", addresses.size(), addresses_max),
                 "measure from fewer"};
  const auto local = Address::parse(own, 0);
  if (!local) return local.error();
  const auto socket = UdpSocket::bind(*local);
  if (!socket) return socket.error();
  for (const auto& text : addresses) {
    const auto to = Address::parse(text, port);
    if (!to) return to.error();
    if (!limit.take(now)) return Error{"too many addresses are to be proven at once", "try again in a few seconds"};
    if (!is_unicast(*to)) return Error{text + " is not the address of one host", "name one of the measuring host"};
    const auto cookie = cookie_of(host_text(*to));
    if (!cookie) return cookie.error();
    const auto datagram = std::string(datagram_prefix) + *cookie;
    if (::sendto(socket->fd(), datagram.data(), datagram.size(), 0, to->raw(), to->raw_bytes()) < 0)
      return Error{"cannot send to " + to->text() + ": " + std::strerror(errno),
                   "name an address of the measuring host"};
  }
  return {};
}

// The same cookie for a repeated request: the previous datagram may only be late.
Result<std::string> AddressProofs::cookie_of(const std::string& address) {
  if (const auto sent = cookies_.find(address); sent != cookies_.end())
    return {boost::system::in_place_value, sent->second};
  if (cookies_.size() == addresses_max)
    return Error{fmt::format("more than {} addresses of one client", addresses_max), "measure from fewer"};
  auto cookie = random_hex(cookie_bytes);
  if (cookie) cookies_.emplace(address, *cookie);
  return cookie;
}

bool AddressProofs::prove(const Address& address, const std::vector<std::string>& cookies) const {
  const auto sent = cookies_.find(host_text(address));
  return sent != cookies_.end() &&
         std::ranges::any_of(cookies, [&](const std::string& cookie) { return same_digits(cookie, sent->second); });
}

Result<std::vector<std::string>> take_cookies(const std::vector<std::string>& addresses, std::uint16_t port,
                                              const std::function<Result<void>()>& ask) {
  std::vector<Listener> listeners;
  for (const auto& address : addresses) {
    const auto local = Address::parse(address, port);
    if (!local) return local.error();
    auto socket = UdpSocket::bind(*local);
    if (!socket) return socket.error();
    listeners.push_back({address, std::move(*socket), {}});
  }
  for (int i = 0; i < attempts && !all_have_come(listeners); ++i) {
    if (const auto asked = ask(); !asked) return asked.error();
    listen(listeners);
  }
  std::vector<std::string> cookies;
  for (auto& listener : listeners) {
    if (listener.cookie.empty())
      return Error{fmt::format("no packet of the other host arrives at {} port {} (UDP)", listener.address, port),
                   "let it through the firewall, or measure from the address that you call from"};
    cookies.push_back(std::move(listener.cookie));
  }
  return cookies;
}

}  // namespace lw
