#include "probe/hash/rss.h"

#include "common/host/ethtool.h"
#include "probe/hash/toeplitz.h"

#include <linux/ethtool.h>
#include <net/if.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace lw {
namespace {

constexpr std::uint8_t toeplitz_function = 1;  // the kernel's ETH_RSS_HASH_TOP

void append_port(std::uint16_t port, std::vector<std::byte>& input) {
  input.push_back(static_cast<std::byte>(port >> 8U));
  input.push_back(static_cast<std::byte>(port));
}

}  // namespace

std::uint32_t rss_hash(const RssSettings& rss, const FlowTuple& flow) {
  std::vector<std::byte> input;
  for (const auto* side : {&flow.from, &flow.to})
    input.insert(input.end(), side->host_bytes().begin(), side->host_bytes().end());
  if (rss.ports) {
    append_port(flow.from.port(), input);
    append_port(flow.to.port(), input);
  }
  return toeplitz_hash(rss.key, input);
}

Result<RssSettings> read_rss(const std::string& interface, bool ipv6) {
  const std::string mend = "give --by rss with --queues, --key and --fields instead";
  if (if_nametoindex(interface.c_str()) == 0) return Error{"no such interface: " + interface, "name one of `ip link`"};
  Ethtool ethtool(interface);
  ethtool_rxfh sizes{};
  sizes.cmd = ETHTOOL_GRSSH;
  if (!ethtool.ask(&sizes) || sizes.indir_size == 0 || sizes.key_size < rss_key_bytes_min)
    return Error{interface + " does not report how it spreads packets over its queues", mend};

  std::vector<std::uint32_t> answer((sizeof(sizes) + sizes.indir_size * sizeof(std::uint32_t) + sizes.key_size + 3) /
                                    4);
  std::memcpy(answer.data(), &sizes, sizeof(sizes));
  if (!ethtool.ask(answer.data()))
    return Error{interface + " does not report its key: " + std::strerror(errno), "run as root, or " + mend};
  std::memcpy(&sizes, answer.data(), sizeof(sizes));
  // In newer kernels, the byte after hfunc is input_xfrm: the card changes addresses and ports before hashing.
  if ((sizes.hfunc != 0 && sizes.hfunc != toeplitz_function) || sizes.rsvd8[0] != 0)
    return Error{interface + " hashes otherwise than by Toeplitz over the packet's own fields", mend};

  RssSettings rss;
  const auto* table = answer.data() + sizeof(sizes) / sizeof(std::uint32_t);
  rss.table.assign(table, table + sizes.indir_size);
  const auto* key = reinterpret_cast<const std::uint8_t*>(table + sizes.indir_size);
  rss.key.assign(key, key + sizes.key_size);

  ethtool_rxnfc fields{};
  fields.cmd = ETHTOOL_GRXFH;
  fields.flow_type = ipv6 ? UDP_V6_FLOW : UDP_V4_FLOW;
  if (!ethtool.ask(&fields)) return Error{interface + " does not report whether UDP ports are hashed", mend};
  rss.ports = (fields.data & (RXH_L4_B_0_1 | RXH_L4_B_2_3)) != 0;
  return rss;
}

std::vector<unsigned> default_table(unsigned queues) {
  std::vector<unsigned> table(128);
  for (unsigned i = 0; i < table.size(); ++i) table[i] = i % queues;
  return table;
}

std::optional<std::vector<std::uint8_t>> parse_rss_key(std::string_view text) {
  std::vector<std::uint8_t> key;
  while (!text.empty()) {
    std::uint8_t byte = 0;
    if (text.size() < 2) return {};
    const auto [end, error] = std::from_chars(text.data(), text.data() + 2, byte, 16);
    if (error != std::errc{} || end != text.data() + 2) return {};
    key.push_back(byte);
    text = text.substr(2);
    if (text.starts_with(':')) text = text.substr(1);
  }
  if (key.size() < rss_key_bytes_min) return {};
  return key;
}

}  // namespace lw
