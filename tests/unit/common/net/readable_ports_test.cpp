// Pins that one look finds the ports with something to read, and that a port without a kernel socket counts as one.
#include "common/net/readable_ports.h"

#include "common/net/udp_socket.h"

#include <sys/socket.h>
#include <catch2/catch.hpp>

#include <array>

using namespace lw;

TEST_CASE("ports with something to read are found") {
  const auto bound = [] { return UdpSocket::bind(Address::parse("127.0.0.1", 0).value()).value(); };
  const std::array<UdpSocket, 3> sockets{bound(), bound(), bound()};
  ReadablePorts ports;
  CHECK(ports.empty());
  ports.look();
  for (const auto& socket : sockets) ports.add(socket.fd());
  ports.add(-1);
  ports.look();
  for (std::size_t i = 0; i < 3; ++i) CHECK_FALSE(ports.readable(i));
  CHECK(ports.readable(3));
  const auto to = sockets[1].local_address();
  REQUIRE(::sendto(sockets[0].fd(), "x", 1, 0, to.raw(), to.raw_bytes()) == 1);
  ports.look();
  CHECK_FALSE(ports.readable(0));
  CHECK(ports.readable(1));
  CHECK_FALSE(ports.readable(2));
  std::array<std::byte, 8> buffer{};
  REQUIRE(sockets[1].receive_now(buffer));
  ports.look();
  CHECK_FALSE(ports.readable(1));
}
