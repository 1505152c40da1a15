#include "common/host/ethtool.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace lw {
namespace {

// The kernel's structs end with an array that it fills in.
template <class Head>
std::vector<std::uint32_t> with_room(const Head& head, std::size_t bytes) {
  std::vector<std::uint32_t> words((sizeof(head) + bytes + 3) / 4);
  std::memcpy(words.data(), &head, sizeof(head));
  return words;
}

// The number of a feature in the kernel's list, which differs between kernels.
std::optional<unsigned> feature_index(Ethtool& ethtool, const char* name) {
  ethtool_sset_info info{};
  info.cmd = ETHTOOL_GSSET_INFO;
  info.sset_mask = std::uint64_t{1} << ETH_SS_FEATURES;
  auto sets = with_room(info, sizeof(std::uint32_t));
  if (!ethtool.ask(sets.data())) return {};
  std::memcpy(&info, sets.data(), sizeof(info));
  if (info.sset_mask == 0) return {};
  constexpr std::uint32_t most = 1024;
  ethtool_gstrings strings{};
  strings.cmd = ETHTOOL_GSTRINGS;
  strings.string_set = ETH_SS_FEATURES;
  strings.len = std::min(sets[sizeof(info) / 4], most);
  auto answer = with_room(strings, std::size_t{strings.len} * ETH_GSTRING_LEN);
  if (!ethtool.ask(answer.data())) return {};
  const auto* names = reinterpret_cast<const char*>(answer.data()) + sizeof(strings);
  for (unsigned i = 0; i < strings.len; ++i)
    if (std::strncmp(names + std::size_t{i} * ETH_GSTRING_LEN, name, ETH_GSTRING_LEN) == 0) return i;
  return {};
}

std::optional<bool> feature(Ethtool& ethtool, const char* name) {
  const auto index = feature_index(ethtool, name);
  if (!index) return {};
  // struct ethtool_gfeatures: command, number of blocks, blocks of 32 features.
  constexpr std::size_t block_words = sizeof(ethtool_get_features_block) / 4;
  const std::uint32_t blocks = *index / 32 + 1;
  std::vector<std::uint32_t> answer(2 + blocks * block_words);
  answer[0] = ETHTOOL_GFEATURES;
  answer[1] = blocks;
  if (!ethtool.ask(answer.data())) return {};
  ethtool_get_features_block block{};
  std::memcpy(&block, answer.data() + 2 + (blocks - 1) * block_words, sizeof(block));
  return (block.active >> (*index % 32) & 1U) != 0;
}

}  // namespace

Ethtool::Ethtool(const std::string& interface) : fd_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  interface.copy(request_.ifr_name, IFNAMSIZ - 1);
}

Ethtool::~Ethtool() {
  if (fd_ >= 0) close(fd_);
}

bool Ethtool::ask(void* command) {
  request_.ifr_data = static_cast<char*>(command);
  return ioctl(fd_, SIOCETHTOOL, &request_) == 0;
}

NicSettings read_nic_settings(const std::string& interface) {
  NicSettings settings;
  Ethtool ethtool(interface);
  ethtool_ringparam rings{};
  rings.cmd = ETHTOOL_GRINGPARAM;
  if (ethtool.ask(&rings) && rings.rx_max_pending > 0) {
    settings.receive_ring = rings.rx_pending;
    settings.receive_ring_max = rings.rx_max_pending;
  }
  ethtool_value offload{ETHTOOL_GGRO, 0};
  if (ethtool.ask(&offload)) settings.receive_offload = offload.data != 0;
  settings.udp_segmentation = feature(ethtool, "tx-udp-segmentation");
  return settings;
}

}  // namespace lw
