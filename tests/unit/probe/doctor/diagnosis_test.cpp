#include "probe/doctor/diagnosis.h"

#include "tests/support/source_folder.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lw {
namespace {

Wall sara() { return load_wall(test::source_folder() / "walls/sara-5x3.toml").value(); }

// A node of the SARA wall with everything as it should be.
Patient well() {
  Patient patient;
  patient.wall = sara();
  patient.nodes = {"tile-0-0"};
  auto& host = patient.host;
  host.topology = read_topology("pack:1 [numa] core:8 pu:1").value();
  Nic nic;
  nic.name = "eth0";
  nic.addresses = {"10.1.1.10"};
  nic.up = true;
  nic.mtu = 9000;
  nic.link_rate = BitRate::gbit(10);
  host.nics = {nic};
  host.limits.kernel = "6.1.0";
  host.limits.rmem_max = 67'108'864;
  host.limits.wmem_max = 67'108'864;
  host.limits.netdev_max_backlog = 100'000;
  host.limits.memory_available_bytes = std::uint64_t{16} << 30U;
  host.limits.memlock_unlimited = true;
  host.limits.huge_pages = 0;
  host.limits.huge_page_bytes = 2 << 20;
  host.limits.transparent_huge_pages = "madvise";
  patient.cpus.governors = {{0, "performance"}, {1, "performance"}};
  patient.cards["eth0"] = {4096, 4096, true, true};
  patient.udp_segment = patient.udp_gro = true;
  patient.clock_error = std::chrono::microseconds{500};
  return patient;
}

Disk films(bool exists) {
  Disk disk;
  disk.directory = "/films";
  disk.exists = exists;
  return disk;
}

const Complaint* complaint(const std::vector<Complaint>& complaints, Level level, const std::string& words) {
  for (const auto& entry : complaints)
    if (entry.level == level && entry.what.find(words) != std::string::npos) return &entry;
  return nullptr;
}

TEST_CASE("a healthy host has no findings, and no fix is named") {
  const auto complaints = diagnose(well()).value();
  CHECK(complaints.size() > 10);
  INFO(complaints_text(complaints));
  CHECK(worst(complaints) == Level::ok);
  for (const auto& entry : complaints) CHECK(entry.mend.empty());
}

TEST_CASE("each problem is reported with the command that fixes it") {
  struct Case {
    const char* what;
    Level level;
    const char* mend;
    void (*spoil)(Patient&);
  };
  const Case cases[]{
      {"MTU", Level::fail, "ip link set eth0 mtu 9000", [](Patient& p) { p.host.nics[0].mtu = 1500; }},
      {"eth0 (10.1.1.10)", Level::fail, "ip link set eth0 up", [](Patient& p) { p.host.nics[0].up = false; }},
      {"rate", Level::fail, "lower the frame rate", [](Patient& p) { p.host.nics[0].link_rate = BitRate::gbit(1); }},
      {"address 10.1.1.10", Level::fail, "wall file", [](Patient& p) { p.host.nics[0].addresses = {"10.9.9.9"}; }},
      {"rmem_max", Level::warn, "sysctl -w net.core.rmem_max=", [](Patient& p) { p.host.limits.rmem_max = 212'992; }},
      {"backlog", Level::warn,
       "sysctl -w net.core.netdev_max_backlog=", [](Patient& p) { p.host.limits.netdev_max_backlog = 10; }},
      {"receive ring", Level::warn, "ethtool -G eth0 rx 4096", [](Patient& p) { p.cards["eth0"].receive_ring = 512; }},
      {"receive-offload", Level::warn, "ethtool -K eth0 generic-receive-offload on",
       [](Patient& p) { p.cards["eth0"].receive_offload = false; }},
      {"UDP_SEGMENT", Level::warn, "4.18", [](Patient& p) { p.udp_segment = false; }},
      {"UDP_GRO", Level::warn, "5.0", [](Patient& p) { p.udp_gro = false; }},
      {"governor", Level::warn, "cpupower -c 1 frequency-set", [](Patient& p) { p.cpus.governors[1] = "powersave"; }},
      {"clock", Level::warn, "phc2sys", [](Patient& p) { p.clock_error.reset(); }},
      {"clock", Level::warn, "phc2sys", [](Patient& p) { p.clock_error = std::chrono::milliseconds{50}; }},
      {"huge pages", Level::warn,
       "sysctl -w vm.nr_hugepages=", [](Patient& p) { p.host.limits.transparent_huge_pages = "never"; }},
      {"locked memory", Level::warn, "ulimit -l",
       [](Patient& p) {
         p.host.limits.memlock_unlimited = false;
         p.host.limits.memlock_bytes = 8 << 20;
         p.host.limits.swap_bytes = 1 << 30;
       }},
      {"memory of the nodes on this host", Level::fail, "playout_delay_ms",
       [](Patient& p) { p.host.limits.memory_available_bytes = 1 << 20; }},
      {"receiving cores", Level::warn, "flows_per_tile",
       [](Patient& p) { p.host.topology = read_topology("pack:1 core:1 pu:1").value(); }},
      {"interrupts stay", Level::warn, "systemctl stop irqbalance",
       [](Patient& p) {
         p.wall->nodes[0].cpus = {2};
         p.cpus.irqbalance = true;
       }},
      {"isolated cores", Level::warn, "`cpus`",
       [](Patient& p) {
         p.wall->nodes[0].cpus = {2, 3};
         p.cpus.isolated = {3};
       }},
      {"content /films", Level::fail, "--content", [](Patient& p) { p.host.disks.push_back(films(false)); }},
      {"O_DIRECT", Level::warn, "XFS",
       [](Patient& p) {
         auto disk = films(true);
         disk.direct_io = false;
         p.host.disks.push_back(disk);
       }},
      {"space", Level::warn, "remove",
       [](Patient& p) {
         auto disk = films(true);
         disk.free_bytes = 1000;
         p.host.disks.push_back(disk);
       }},
  };
  for (const auto& one : cases) {
    auto patient = well();
    one.spoil(patient);
    const auto complaints = diagnose(patient).value();
    INFO(one.what << "\n" << complaints_text(complaints));
    const auto* found = complaint(complaints, one.level, one.what);
    REQUIRE(found != nullptr);
    CHECK(found->mend.find(one.mend) != std::string::npos);
  }
}

TEST_CASE("the plan's findings for a server are also reported") {
  auto patient = well();
  patient.nodes.clear();
  patient.server = patient.wall->coordinator().name;
  patient.host.limits.wmem_max = 212'992;
  const auto complaints = diagnose(patient).value();
  CHECK(complaint(complaints, Level::fail, "interface 10.1.0.1") != nullptr);  // no card has it
  const auto* buffer = complaint(complaints, Level::warn, "wmem_max");
  REQUIRE(buffer != nullptr);
  REQUIRE(buffer->sysctl.has_value());
  CHECK(buffer->sysctl->name == "net.core.wmem_max");
  CHECK(buffer->sysctl->value == "4194304");
}

TEST_CASE("a node needs the same if the wall file names a standby first") {
  auto patient = well();
  auto standby = patient.wall->coordinator();
  standby.name = "standby";
  standby.standby = Standby::hot;
  standby.standby_for = patient.wall->coordinator().name;
  standby.coordinator = false;
  patient.wall->coordinator().coordinator = true;
  patient.wall->servers.insert(patient.wall->servers.begin(), standby);
  const auto complaints = diagnose(patient);
  REQUIRE(complaints.has_value());
  CHECK(worst(*complaints) == Level::ok);
}

TEST_CASE("a host that is the server and two nodes has one row for each finding, with the greatest need") {
  auto patient = well();
  patient.wall = load_wall(test::source_folder() / "walls/local-2x2.toml").value();
  patient.host.nics[0].name = "lo";
  patient.host.nics[0].addresses = {"127.0.0.1"};
  patient.server = patient.wall->servers.front().name;
  patient.nodes = {"left", "right"};
  const auto complaints = diagnose(patient).value();
  INFO(complaints_text(complaints));
  for (const auto& entry : complaints) CHECK(std::ranges::count(complaints, entry.what, &Complaint::what) == 1);
  patient.nodes = {"left"};
  const auto of_left = diagnose(patient).value();
  patient.server.clear();
  const auto of_node = diagnose(patient).value();
  const auto needed = [](const std::vector<Complaint>& found) {
    return std::stoi(complaint(found, Level::ok, "netdev_max_backlog")->needed);
  };
  CHECK(needed(complaints) > needed(of_node));
  CHECK(needed(complaints) == needed(of_left));
}

TEST_CASE("a worse finding of a node replaces the same one of the server") {
  auto patient = well();
  patient.nodes = {"tile-0-0"};
  patient.host.limits.netdev_max_backlog = 10;
  const auto complaints = diagnose(patient).value();
  REQUIRE(complaint(complaints, Level::warn, "netdev_max_backlog") != nullptr);
  CHECK(complaint(complaints, Level::ok, "netdev_max_backlog") == nullptr);
}

TEST_CASE("a wall on one host has one clock, whether it is synchronized or not") {
  auto patient = well();
  patient.wall = load_wall(test::source_folder() / "walls/local-2x2.toml").value();
  patient.nodes = {"left", "right"};
  patient.host.nics[0].addresses = {"127.0.0.1"};
  patient.clock_error.reset();
  const auto here = diagnose(patient).value();
  const auto* alone = complaint(here, Level::ok, "system clock");
  REQUIRE(alone != nullptr);
  CHECK(alone->have == "the wall is on this host alone");
  patient.wall->nodes[1].address = "10.1.1.11";
  CHECK(complaint(diagnose(patient).value(), Level::warn, "system clock")->have == "not synchronized");
  patient.wall->nodes[1].address = "127.0.0.1";
  patient.wall->servers.front().interfaces = {"10.1.1.12"};
  CHECK(complaint(diagnose(patient).value(), Level::warn, "system clock")->have == "not synchronized");
}

TEST_CASE("host clocks do not matter if the wall keeps its own") {
  auto patient = well();
  patient.clock_error.reset();
  patient.wall->clock = ClockSource::wall;
  CHECK(worst(diagnose(patient).value()) == Level::ok);
}

TEST_CASE("without a wall, the requirements of any wall are checked") {
  auto patient = well();
  patient.wall.reset();
  patient.nodes.clear();
  patient.host.limits.rmem_max = 212'992;
  const auto complaints = diagnose(patient).value();
  CHECK(complaint(complaints, Level::warn, "rmem_max") != nullptr);
  CHECK(complaint(complaints, Level::ok, "receive ring") != nullptr);
  const auto json = complaints_json(complaints);
  REQUIRE(json.size() == complaints.size());
  CHECK(json[0]["level"] == "warn");
  CHECK(json[0]["mend"] == "sysctl -w net.core.rmem_max=4194304");
}

}  // namespace
}  // namespace lw
