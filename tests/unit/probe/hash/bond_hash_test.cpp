// Expected values: the kernel's formula written again over the packets' bytes (Python's struct and ipaddress). A real
// bond is asked by tests/e2e/hash_test.py where the kernel has one.
#include "probe/hash/bond_hash.h"

#include "tests/support/fake_tree.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

FlowTuple flow_of(const char* from, std::uint16_t source, const char* to, std::uint16_t target) {
  return {Address::parse(from, source).value(), Address::parse(to, target).value()};
}
const FlowTuple four = flow_of("192.168.1.10", 40000, "192.168.1.20", 50000);
const FlowTuple six = flow_of("2001:db8::1", 40002, "2001:db8::2:3", 50004);
const BondFrame frame{{0x52, 0x54, 0, 0, 0, 0x0a}, {0x52, 0x54, 0, 0, 0, 0x31}};

TEST_CASE("a bond hashes the fields of its policy") {
  CHECK(bond_hash(BondPolicy::layer34, {}, four) == 0x2746e6a8);
  CHECK(bond_hash(BondPolicy::layer34, {}, six) == 0x2b4aeaa4);
  CHECK(bond_hash(BondPolicy::layer23, frame, four) == 0x1e1e162d);
  CHECK(bond_hash(BondPolicy::layer2, frame, four) == 0x83b);
  CHECK(bond_hash(BondPolicy::layer2, frame, six) == 0x86e6);
}

TEST_CASE("fragments have no ports, and a tag in the frame hides all but the Ethernet header") {
  auto fragments = frame;
  fragments.fragmented = true;
  CHECK(bond_hash(BondPolicy::layer34, fragments, four) == 0x0f0f0f0f);
  const auto other_ports = flow_of("192.168.1.10", 40100, "192.168.1.20", 50000);
  CHECK(bond_hash(BondPolicy::layer34, fragments, other_ports) == bond_hash(BondPolicy::layer34, fragments, four));
  auto tagged = frame;
  tagged.tag_in_frame = true;
  for (const auto policy : {BondPolicy::layer2, BondPolicy::layer23, BondPolicy::layer34})
    CHECK(bond_hash(policy, tagged, four) == 0x813b);
}

TEST_CASE("ports that increase together cancel out of layer3+4") {
  const auto member = [](unsigned i) {
    return bond_hash(BondPolicy::layer34, {},
                     flow_of("10.0.0.1", static_cast<std::uint16_t>(40000 + 2 * i), "10.0.0.2",
                             static_cast<std::uint16_t>(50000 + 2 * i))) %
           4;
  };
  for (unsigned i = 1; i < 8; ++i) CHECK(member(i) == member(0));
}

TEST_CASE("a bond of this host is read") {
  const test::FakeTree tree;
  tree.write("sys/class/net/bond0/bonding/mode", "802.3ad 4");
  tree.write("sys/class/net/bond0/bonding/xmit_hash_policy", "layer3+4 1");
  tree.write("sys/class/net/bond0/bonding/slaves", "eth1 eth2");
  tree.write("sys/class/net/eth0/mtu", "1500");
  const auto bond = read_bond("bond0", tree.root());
  REQUIRE(bond);
  CHECK(bond->mode == "802.3ad");
  CHECK(bond->policy == "layer3+4");
  CHECK(bond->members == std::vector<std::string>{"eth1", "eth2"});
  CHECK_FALSE(read_bond("eth0", tree.root()));
}

TEST_CASE("MAC addresses and policies are read, or refused") {
  CHECK(parse_mac("52:54:00:12:34:5f") == MacAddress{0x52, 0x54, 0x00, 0x12, 0x34, 0x5f});
  for (const char* wrong : {"", "52:54:00:12:34", "52-54-00-12-34-56", "52:54:00:12:34:5g", "52:54:00:12:34:567"})
    CHECK_FALSE(parse_mac(wrong).has_value());
  CHECK(parse_bond_policy("layer2+3") == BondPolicy::layer23);
  CHECK_FALSE(parse_bond_policy("encap3+4"));
}

}  // namespace
}  // namespace lw
