// The network interfaces of this host.
#pragma once

#include "common/base/units.h"
#include "common/host/nic_queues.h"
#include "common/host/pcie.h"
#include "common/host/qdisc.h"

#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lw {

struct Nic {
  std::string name;                    // "enp59s0f0"
  std::vector<std::string> addresses;  // numeric
  bool up = false;
  std::optional<BitRate> link_rate;
  std::optional<unsigned> mtu;
  std::optional<std::string> driver;
  std::optional<unsigned> numa_node;
  std::optional<PcieLink> pcie;
  std::optional<std::string> qdisc;  // "fq", "noqueue", ...
  std::vector<NicQueue> queues;      // transmit queues
};

using InterfaceAddresses = std::multimap<std::string, std::string>;  // interface -> numeric address
InterfaceAddresses interface_addresses();

// Sorted by name. `root` contains sys/; tests pass a fake one.
std::vector<Nic> read_nics(const InterfaceAddresses& addresses, const std::filesystem::path& root = "/",
                           const InterfaceQdiscs& qdiscs = {});
// Those of this host.
std::vector<Nic> read_nics();
// The clock of the departure times that the card's queueing discipline honours: CLOCK_MONOTONIC for fq, CLOCK_TAI for
// etf; empty for those that send at once.
std::optional<clockid_t> departure_clock(const Nic& nic);
// The interface with an address (in any notation), or nullptr.
const Nic* nic_of_address(const std::vector<Nic>& nics, const std::string& address);

}  // namespace lw
