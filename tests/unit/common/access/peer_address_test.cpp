#include "common/access/peer_address.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("loopback is distinguished from other addresses in every form") {
  for (const char* host : {"127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"}) CHECK(is_loopback(host));
  for (const char* host :
       {"10.0.0.1", "0.0.0.0", "::", "::ffff:10.0.0.1", "fe80::1", "localhost", "", "127.0.0.1:9010"})
    CHECK_FALSE(is_loopback(host));
  CHECK(is_unspecified("0.0.0.0"));
  CHECK(is_unspecified("::"));
  CHECK_FALSE(is_unspecified("127.0.0.1"));
}

TEST_CASE("the addresses of one IPv6 network count as one") {
  CHECK(network_of("2001:db8:1:2::3") == network_of("2001:db8:1:2:ffff::1"));
  CHECK(network_of("2001:db8:1:2::3") != network_of("2001:db8:1:3::3"));
  CHECK(network_of("10.0.0.1") != network_of("10.0.0.2"));
  CHECK(network_of("::ffff:10.0.0.1") == network_of("10.0.0.1"));
}
