#include "common/plan/planned_host.h"

#include <catch2/catch.hpp>

namespace lw {
namespace {

Nic card(const std::string& name, std::vector<std::string> addresses) {
  Nic nic;
  nic.name = name;
  nic.addresses = std::move(addresses);
  return nic;
}

Disk disk(const char* directory, const char* device) {
  Disk result;
  result.directory = directory;
  result.exists = true;
  result.device = device;
  return result;
}

TEST_CASE("the cards of a host without addresses get the server's, one each") {
  WallServer server;
  server.interfaces = {"10.1.0.1", "10.1.0.2", "10.1.0.3"};
  HostFacts host;
  host.nics = {card("a", {}), card("b", {})};
  const auto planned = as_host_of(server, host);
  CHECK(nic_of_address(planned.nics, "10.1.0.1")->name == "a");
  CHECK(nic_of_address(planned.nics, "10.1.0.2")->name == "b");
  CHECK(nic_of_address(planned.nics, "10.1.0.3") == nullptr);  // the host has no third card
}

TEST_CASE("a host with an address keeps its addresses") {
  WallServer server;
  server.interfaces = {"10.1.0.1"};
  HostFacts host;
  host.nics = {card("lo", {"127.0.0.1"}), card("a", {})};
  CHECK(nic_of_address(as_host_of(server, host).nics, "10.1.0.1") == nullptr);
}

TEST_CASE("a directory is on the disk with the longest path above it") {
  const std::vector known{disk("/", "sda"), disk("/data", "nvme0n1"), disk("/data/fast/", "nvme1n1")};
  const auto disks = disks_below(known, {"/data/waves", "/data/fast/waves", "/data", "/database", "/data/fast"});
  REQUIRE(disks.size() == 5);
  const char* const devices[]{"nvme0n1", "nvme1n1", "nvme0n1", "sda", "nvme1n1"};
  for (std::size_t i = 0; i < disks.size(); ++i) CHECK(disks[i].device == devices[i]);
  CHECK(disks[0].directory == "/data/waves");
  CHECK(disks_below({disk("/data", "nvme0n1")}, {"/other"}).empty());
}

}  // namespace
}  // namespace lw
