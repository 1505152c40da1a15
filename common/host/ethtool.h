// Queries a network interface through the ethtool ioctl (`ethtool -g`, `-k`, `-x`).
#pragma once

#include <net/if.h>

#include <optional>
#include <string>

namespace lw {

class Ethtool {
public:
  explicit Ethtool(const std::string& interface);
  ~Ethtool();
  Ethtool(const Ethtool&) = delete;
  Ethtool& operator=(const Ethtool&) = delete;

  // `command` is one of the structs of linux/ethtool.h; false if the driver does not support it.
  bool ask(void* command);

private:
  int fd_;
  ifreq request_{};
};

struct NicSettings {
  std::optional<unsigned> receive_ring, receive_ring_max;  // descriptors
  std::optional<bool> receive_offload;                     // generic-receive-offload (GRO)
  std::optional<bool> udp_segmentation;                    // tx-udp-segmentation: the card segments, not the kernel
};
// Values that the driver does not report are absent.
NicSettings read_nic_settings(const std::string& interface);

}  // namespace lw
