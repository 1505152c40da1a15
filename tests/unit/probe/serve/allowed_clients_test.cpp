#include "probe/serve/allowed_clients.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

bool has(const AllowedClients& allowed, const char* address) { return allowed.has(Address::parse(address, 0).value()); }

TEST_CASE("this host is always allowed, others only if named") {
  const auto nobody = AllowedClients::parse({}).value();
  CHECK(has(nobody, "127.0.0.1"));
  CHECK(has(nobody, "127.8.0.1"));
  CHECK(has(nobody, "::1"));
  CHECK_FALSE(has(nobody, "10.0.0.1"));
  CHECK_FALSE(has(nobody, "::2"));

  const auto some = AllowedClients::parse({"10.0.0.7", "10.1.0.0/22", "fd00::/8"}).value();
  CHECK(has(some, "10.0.0.7"));
  CHECK_FALSE(has(some, "10.0.0.6"));
  CHECK(has(some, "10.1.3.255"));
  CHECK_FALSE(has(some, "10.1.4.0"));
  CHECK(has(some, "fd12::9"));
  CHECK_FALSE(has(some, "fe80::1"));
}

TEST_CASE("an invalid network is refused") {
  for (const auto* wrong : {"10.0.0.1/33", "10.0.0.1/", "ten", "10.0.0.1/-1", "", "::/129"})
    CHECK_FALSE(AllowedClients::parse({wrong}).has_value());
}

}  // namespace
}  // namespace lw
