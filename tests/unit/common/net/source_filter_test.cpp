// Pins that the kernel lets only the named hosts through, whatever their port; packets from others are counted and take
// no room in the socket's buffer.
#include "common/net/source_filter.h"

#include "common/net/socket_drops.h"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

using namespace lw;

namespace {

void send_from(const std::string& host, const UdpSocket& to, int count) {
  const auto socket = UdpSocket::bind(Address::parse(host, 0).value()).value();
  REQUIRE(socket.connect(to.local_address()).has_value());
  for (int i = 0; i < count; ++i) REQUIRE(send(socket.fd(), "12345678", 8, 0) == 8);
}

}  // namespace

TEST_CASE("only named hosts get through, and refused packets are counted") {
  const auto in = UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value();
  REQUIRE(admit_only(in, std::array{Address::parse("127.0.0.9", 0).value(), Address::parse("127.0.0.1", 0).value()}));
  std::array<std::byte, 64> buffer{};
  send_from("127.0.0.1", in, 1);
  send_from("127.0.0.2", in, 100'000);  // far more than the buffer holds
  send_from("127.0.0.9", in, 1);
  std::vector<std::string> hosts;
  while (const auto datagram = in.receive_now(buffer)) {
    hosts.push_back(datagram->source.text());
    CHECK(datagram->bytes == 8);
  }
  REQUIRE(hosts.size() == 2);
  CHECK(hosts[0].starts_with("127.0.0.1:"));
  CHECK(hosts[1].starts_with("127.0.0.9:"));
  CHECK(drops_of(in) == 100'000);
}

TEST_CASE("hosts are distinguished by all bytes of an IPv6 address") {
  auto bound = UdpSocket::bind(Address::parse("::1", 0).value());
  if (!bound) return;  // a host without IPv6
  std::array<std::byte, 64> buffer{};
  REQUIRE(
      admit_only(*bound, std::array{Address::parse("::1:0:0:1", 0).value(), Address::parse("2001:db8::1", 0).value()}));
  send_from("::1", *bound, 1);
  CHECK_FALSE(bound->receive_now(buffer));
  REQUIRE(admit_only(*bound, std::array{Address::parse("::1:0:0:1", 0).value(), Address::parse("::1", 0).value()}));
  send_from("::1", *bound, 1);
  CHECK(bound->receive_now(buffer));
}
