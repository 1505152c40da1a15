// Pins source-specific multicast over loopback: packets of a source to a group reach the sockets that have joined it,
// and no others.
#include "common/net/multicast.h"

#include <sys/socket.h>
#include <catch2/catch.hpp>

#include <array>

using namespace lw;

namespace {

Address at(const char* host, std::uint16_t port = 0) { return Address::parse(host, port).value(); }

UdpSocket sender_from(const char* local, const Address& group) {
  auto socket = UdpSocket::bind(at(local)).value();
  REQUIRE(send_multicast_from(socket, at("127.0.0.1"), 1).has_value());
  REQUIRE(socket.connect(group).has_value());
  return socket;
}

unsigned received(const UdpSocket& socket) {
  std::array<std::byte, 16> buffer{};
  unsigned count = 0;
  while (socket.receive_now(buffer)) ++count;
  return count;
}

}  // namespace

TEST_CASE("addresses show whether they are groups of source-specific multicast") {
  for (const auto* address : {"232.0.1.0", "232.255.255.255", "ff3e::8000:1", "ff35::1"}) {
    CHECK(is_multicast(at(address)));
    CHECK(is_source_specific(at(address)));
  }
  for (const auto* address : {"224.0.0.1", "231.1.1.1", "239.1.1.1", "232.0.0.1", "ff02::1", "ff3e:1::1", "ff1e::1"}) {
    CHECK(is_multicast(at(address)));
    CHECK_FALSE(is_source_specific(at(address)));
  }
  for (const auto* address : {"10.0.0.1", "223.1.1.1", "240.0.0.1", "::1", "fe80::1"}) {
    CHECK_FALSE(is_multicast(at(address)));
    CHECK_FALSE(is_source_specific(at(address)));
  }
}

TEST_CASE("a member of a group receives from its source only") {
  const auto member = UdpSocket::bind(Address::any(false, 0)).value();
  const auto port = member.local_address().port();
  const auto group = at("232.9.8.7", port);
  const auto source = sender_from("127.0.0.1", group);
  const auto other = sender_from("127.0.0.2", group);
  const auto elsewhere = sender_from("127.0.0.1", at("232.9.8.6", port));
  const auto send_all = [&] {
    for (const auto* socket : {&source, &other, &elsewhere}) REQUIRE(::send(socket->fd(), "x", 1, 0) == 1);
  };
  send_all();
  CHECK(received(member) == 0);
  // Another program of this host joins the other group: this one does not receive it.
  const auto neighbour = UdpSocket::bind(Address::any(false, 0)).value();
  REQUIRE(join_group(neighbour, at("232.9.8.6"), at("127.0.0.1"), at("127.0.0.1")).has_value());
  REQUIRE(join_group(member, group, at("127.0.0.1"), at("127.0.0.1")).has_value());
  send_all();
  CHECK(received(member) == 1);
  // Packets to the member's own address reach the same socket.
  const auto unicast = UdpSocket::bind(at("127.0.0.1")).value();
  REQUIRE(unicast.connect(at("127.0.0.1", port)).has_value());
  REQUIRE(::send(unicast.fd(), "x", 1, 0) == 1);
  CHECK(received(member) == 1);
}

TEST_CASE("an address that no interface has is named") {
  const auto socket = UdpSocket::bind(Address::any(false, 0)).value();
  const auto joined = join_group(socket, at("232.9.8.7"), at("127.0.0.1"), at("192.0.2.77"));
  REQUIRE_FALSE(joined.has_value());
  CHECK(joined.error().what.find("192.0.2.77") != std::string::npos);
  CHECK_FALSE(send_multicast_from(socket, at("192.0.2.77"), 1).has_value());
}

TEST_CASE("addresses can be counted from a first one") {
  CHECK(address_after(at("232.1.1.250", 7), 10) == at("232.1.2.4", 7));
  CHECK(address_after(at("232.1.1.1"), 0) == at("232.1.1.1"));
  CHECK(address_after(at("ff3e::8000:ffff", 9), 2) == at("ff3e::8001:1", 9));
}
