#include "common/host/nic.h"

#include "common/host/sysfs.h"
#include "common/net/address.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace lw {
namespace {

constexpr std::string_view loopback = "lo";

// Without the port: "192.0.2.1", "2001:db8::1".
std::string host_text(const Address& address) {
  auto text = address.text();
  text.resize(text.rfind(':'));
  if (text.starts_with('[')) text = text.substr(1, text.size() - 2);
  return text;
}

Nic read_nic(const std::filesystem::path& folder, const std::filesystem::path& root) {
  Nic nic;
  nic.name = folder.filename().string();
  // The loopback interface has no carrier to report: "unknown".
  nic.up = read_line(folder / "operstate") == "up" || nic.name == loopback;
  if (const auto megabits = read_number(folder / "speed"); megabits && *megabits > 0)
    nic.link_rate = BitRate::gbit(static_cast<double>(*megabits) / 1000);
  nic.mtu = read_index(folder / "mtu");
  std::error_code problem;
  if (const auto driver = std::filesystem::canonical(folder / "device/driver", problem); !problem)
    nic.driver = driver.filename().string();
  const auto function = pci_function_of(folder / "device");
  if (!function.empty()) nic.numa_node = read_index(function / "numa_node");
  nic.pcie = read_pcie_link(function);
  nic.queues = read_nic_queues(folder, root);
  return nic;
}

}  // namespace

InterfaceAddresses interface_addresses() {
  InterfaceAddresses addresses;
  ifaddrs* raw = nullptr;
  if (getifaddrs(&raw) != 0) return addresses;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> list(raw, &freeifaddrs);
  for (const auto* entry = raw; entry; entry = entry->ifa_next) {
    if (!entry->ifa_addr || (entry->ifa_addr->sa_family != AF_INET && entry->ifa_addr->sa_family != AF_INET6)) continue;
    sockaddr_storage storage{};
    std::memcpy(&storage, entry->ifa_addr,
                entry->ifa_addr->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6));
    addresses.emplace(entry->ifa_name, host_text(Address::from(storage)));
  }
  return addresses;
}

std::vector<Nic> read_nics() { return read_nics(interface_addresses(), "/", interface_qdiscs()); }

std::vector<Nic> read_nics(const InterfaceAddresses& addresses, const std::filesystem::path& root,
                           const InterfaceQdiscs& qdiscs) {
  std::vector<Nic> nics;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(root / "sys/class/net", problem)) {
    if (!entry.is_directory(problem)) continue;
    auto nic = read_nic(entry.path(), root);
    if (const auto qdisc = qdiscs.find(nic.name); qdisc != qdiscs.end()) nic.qdisc = qdisc->second;
    const auto [first, last] = addresses.equal_range(nic.name);
    for (auto address = first; address != last; ++address) nic.addresses.push_back(address->second);
    nics.push_back(std::move(nic));
  }
  std::ranges::sort(nics, {}, &Nic::name);
  return nics;
}

std::optional<clockid_t> departure_clock(const Nic& nic) {
  if (nic.qdisc == "fq") return CLOCK_MONOTONIC;
  if (nic.qdisc == "etf") return CLOCK_TAI;
  return {};
}

const Nic* nic_of_address(const std::vector<Nic>& nics, const std::string& address) {
  const auto wanted = Address::parse(address, 0);
  if (!wanted) return nullptr;
  for (const auto& nic : nics)
    for (const auto& text : nic.addresses)
      if (const auto own = Address::parse(text, 0); own && own->same_host(*wanted)) return &nic;
  // All of 127.0.0.0/8 belongs to the loopback interface.
  if (address.starts_with("127."))
    if (const auto found = std::ranges::find(nics, loopback, &Nic::name); found != nics.end()) return &*found;
  return nullptr;
}

}  // namespace lw
