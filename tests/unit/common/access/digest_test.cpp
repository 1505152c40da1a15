#include "common/access/digest.h"

#include <catch2/catch.hpp>

using namespace lw;

TEST_CASE("digests are those of FIPS 180-4, and compared completely") {
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(same_digits(sha256_hex("abc"), sha256_hex("abc")));
  CHECK_FALSE(same_digits(sha256_hex("abc"), sha256_hex("abd")));
  CHECK_FALSE(same_digits("ab", "abc"));
  CHECK(are_digits(sha256_hex(""), sha256_digits));
  CHECK_FALSE(are_digits("ABCD", 4));
  CHECK_FALSE(are_digits("abc", 4));
}

TEST_CASE("random numbers differ") {
  const auto one = random_hex(32);
  REQUIRE(one.has_value());
  CHECK(are_digits(*one, 64));
  CHECK(*one != random_hex(32).value());
}
