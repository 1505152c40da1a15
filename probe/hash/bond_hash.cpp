#include "probe/hash/bond_hash.h"

#include "common/host/sysfs.h"

#include <charconv>
#include <cstring>
#include <sstream>

namespace lw {
namespace {

constexpr std::uint32_t type_ipv4 = 0x0800;
constexpr std::uint32_t type_ipv6 = 0x86dd;
constexpr std::uint32_t type_vlan = 0x8100;

std::uint32_t ethernet_hash(const BondFrame& frame, const FlowTuple& flow) {
  const auto type = frame.tag_in_frame ? type_vlan : flow.to.is_ipv6() ? type_ipv6 : type_ipv4;
  return frame.target[5] ^ frame.source[5] ^ type;
}

// The kernel combines words as they are in memory, in network byte order.
std::uint32_t word(const std::byte* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

std::uint32_t folded(const Address& address) {
  const auto bytes = address.host_bytes();
  std::uint32_t value = 0;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) value ^= word(bytes.data() + i);
  return value;
}

std::uint32_t ports_word(const FlowTuple& flow) {
  const std::array bytes{static_cast<std::byte>(flow.from.port() >> 8U), static_cast<std::byte>(flow.from.port()),
                         static_cast<std::byte>(flow.to.port() >> 8U), static_cast<std::byte>(flow.to.port())};
  return word(bytes.data());
}

}  // namespace

std::optional<BondPolicy> parse_bond_policy(std::string_view name) {
  if (name == "layer2") return BondPolicy::layer2;
  if (name == "layer2+3") return BondPolicy::layer23;
  if (name == "layer3+4") return BondPolicy::layer34;
  return {};
}

std::optional<MacAddress> parse_mac(std::string_view text) {
  MacAddress mac{};
  if (text.size() != 17) return {};
  for (std::size_t i = 0; i < mac.size(); ++i) {
    const auto* start = text.data() + i * 3;
    const auto [end, error] = std::from_chars(start, start + 2, mac[i], 16);
    if (error != std::errc{} || end != start + 2 || (i < 5 && *end != ':')) return {};
  }
  return mac;
}

std::uint32_t bond_hash(BondPolicy policy, const BondFrame& frame, const FlowTuple& flow) {
  if (policy == BondPolicy::layer2 || frame.tag_in_frame) return ethernet_hash(frame, flow);
  auto hash = policy == BondPolicy::layer23 ? ethernet_hash(frame, flow) : frame.fragmented ? 0 : ports_word(flow);
  hash ^= folded(flow.to) ^ folded(flow.from);
  hash ^= hash >> 16U;
  hash ^= hash >> 8U;
  return policy == BondPolicy::layer34 ? hash >> 1U : hash;
}

std::optional<Bond> read_bond(const std::string& interface, const std::filesystem::path& root) {
  const auto folder = root / "sys/class/net" / interface / "bonding";
  const auto first_word = [&](const char* file) {
    const auto line = read_line(folder / file).value_or("");
    return line.substr(0, line.find(' '));
  };
  Bond bond{first_word("mode"), first_word("xmit_hash_policy"), {}};
  if (bond.mode.empty()) return {};
  std::istringstream members(read_line(folder / "slaves").value_or(""));
  for (std::string member; members >> member;) bond.members.push_back(member);
  return bond;
}

}  // namespace lw
