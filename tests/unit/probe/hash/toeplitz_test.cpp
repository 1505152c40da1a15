// Against Microsoft's own vectors: "Verifying the RSS Hash Calculation",
// https://learn.microsoft.com/en-us/windows-hardware/drivers/network/verifying-the-rss-hash-calculation
#include "probe/hash/toeplitz.h"

#include "probe/hash/rss.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

struct Vector {
  const char* target;
  std::uint16_t target_port;
  const char* source;
  std::uint16_t source_port;
  std::uint32_t addresses_only;
  std::uint32_t with_ports;
};

constexpr Vector vectors[]{
    {"161.142.100.80", 1766, "66.9.149.187", 2794, 0x323e8fc2, 0x51ccc178},
    {"65.69.140.83", 4739, "199.92.111.2", 14230, 0xd718262a, 0xc626b0ea},
    {"12.22.207.184", 38024, "24.19.198.95", 12898, 0xd2d0a5de, 0x5c2b394a},
    {"209.142.163.6", 2217, "38.27.205.30", 48228, 0x82989176, 0xafc7327f},
    {"202.188.127.2", 1303, "153.39.163.191", 44251, 0x5d1809c5, 0x10e828a2},
    {"3ffe:2501:200:3::1", 1766, "3ffe:2501:200:1fff::7", 2794, 0x2cc18cd5, 0x40207d3d},
    {"ff02::1", 4739, "3ffe:501:8::260:97ff:fe40:efab", 14230, 0x0f0c461c, 0xdde51bbf},
    {"fe80::200:f8ff:fe21:67cf", 38024, "3ffe:1900:4545:3:200:f8ff:fe21:67cf", 44251, 0x4b61e985, 0x02d1feef},
};

TEST_CASE("the RSS hash is Microsoft's") {
  RssSettings rss;
  rss.key.assign(microsoft_rss_key.begin(), microsoft_rss_key.end());
  for (const auto& vector : vectors) {
    const FlowTuple flow{Address::parse(vector.source, vector.source_port).value(),
                         Address::parse(vector.target, vector.target_port).value()};
    INFO(vector.source);
    rss.ports = false;
    CHECK(rss_hash(rss, flow) == vector.addresses_only);
    rss.ports = true;
    CHECK(rss_hash(rss, flow) == vector.with_ports);
  }
}

TEST_CASE("a key is read as ethtool prints it") {
  std::string printed, plain;
  for (const auto byte : microsoft_rss_key) {
    constexpr char digits[] = "0123456789abcdef";
    for (auto* text : {&printed, &plain}) *text += {digits[byte >> 4U], digits[byte & 15U]};
    printed += ':';
  }
  printed.pop_back();
  const std::vector<std::uint8_t> expected(microsoft_rss_key.begin(), microsoft_rss_key.end());
  CHECK(parse_rss_key(printed) == expected);
  CHECK(parse_rss_key(plain) == expected);
  CHECK_FALSE(parse_rss_key(printed.substr(0, 39 * 3 - 1)));  // 39 bytes: too short for IPv6 with ports
  CHECK_FALSE(parse_rss_key(plain + "0"));
  CHECK_FALSE(parse_rss_key("zz" + plain));
}

TEST_CASE("without another table, queues take turns") {
  const auto table = default_table(3);
  CHECK(table.size() == 128);
  CHECK(table[0] == 0);
  CHECK(table[5] == 2);
}

}  // namespace
}  // namespace lw
