// The link of a Linux bond that a UDP flow uses: bond_xmit_hash() of drivers/net/bonding/bond_main.c as of Linux 5.18
// (modes balance-xor and 802.3ad). Earlier versions used the type field in host byte order (before 5.15), and dropped
// the lowest bit of layer2+3.
#pragma once

#include "probe/hash/flow_tuple.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

enum class BondPolicy : std::uint8_t { layer2, layer23, layer34 };
std::optional<BondPolicy> parse_bond_policy(std::string_view name);  // "layer2", "layer2+3", "layer3+4"

using MacAddress = std::array<std::uint8_t, 6>;
std::optional<MacAddress> parse_mac(std::string_view text);  // "52:54:00:12:34:56"

// The other inputs of the hash besides addresses and ports.
struct BondFrame {
  MacAddress source{};  // layer2 and layer2+3 only
  MacAddress target{};
  bool fragmented = false;  // datagrams above the MTU: fragments have no ports
  // The VLAN tag is already in the frame when the bond sees it (reorder_hdr off, a bridge, a virtual machine) and not
  // in its metadata: then all policies use only the Ethernet header.
  bool tag_in_frame = false;
};
std::uint32_t bond_hash(BondPolicy policy, const BondFrame& frame, const FlowTuple& flow);

struct Bond {
  std::string mode;    // "802.3ad"
  std::string policy;  // "layer3+4"
  std::vector<std::string> members;
};
// Empty if the interface is not a bond. `root` contains sys/; tests pass a fake one.
std::optional<Bond> read_bond(const std::string& interface, const std::filesystem::path& root = "/");

}  // namespace lw
