// Names in paths of URLs.
#include "server/control/percent_coding.h"

#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <random>
#include <string>

using lw::percent_decoded;

TEST_CASE("every text is what its encoding decodes to") {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string text, encoded;
    for (auto count = random() % 20; count > 0; --count) {
      const auto byte = static_cast<unsigned char>(random() % 256);
      text += static_cast<char>(byte);
      const bool plain = byte != '%' && random() % 2 == 0;
      if (plain)
        encoded += static_cast<char>(byte);
      else
        encoded += random() % 2 == 0 ? fmt::format("%{:02x}", byte) : fmt::format("%{:02X}", byte);
    }
    CHECK(percent_decoded(encoded) == text);
  }
}

TEST_CASE("a percent sign without two hex digits is an error") {
  for (const char* wrong : {"%", "a%", "%2", "%2x", "%x2", "%%20", "%-1", "ab%1g"}) {
    INFO(wrong);
    CHECK_FALSE(percent_decoded(wrong).has_value());
  }
  CHECK(percent_decoded("") == "");
  CHECK(percent_decoded("%2F%00") == std::string("/\0", 2));
}
