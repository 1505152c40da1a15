#include "probe/doctor/examination.h"

#include "common/clock/kernel_clock.h"
#include "common/wall/site.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace lw {
namespace {

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

std::optional<bool> socket_takes(int option) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return {};
  const int value = 1;
  const bool taken = setsockopt(fd, IPPROTO_UDP, option, &value, sizeof(value)) == 0;
  close(fd);
  return taken;
}

// Nodes of a site are examined for the wall that the site shows: those named, else those whose addresses are here.
std::optional<Wall> wall_of_site_nodes(const Wall& wall, const WallParts& as, const auto& is_here) {
  for (const auto& site : wall.sites)
    for (const auto& node : site.nodes)
      if (as.nodes.empty() ? as.server.empty() && is_here(node.address) : node.name == as.nodes.front())
        return wall_of_site(wall, site);
  return {};
}

// The parts of the wall for which this host is examined: those named, else all whose addresses it has.
Result<void> find_parts(const WallParts& as, Patient& patient) {
  const auto is_here = [&](const std::string& address) {
    return nic_of_address(patient.host.nics, address) != nullptr;
  };
  if (auto there = wall_of_site_nodes(*patient.wall, as, is_here)) patient.wall = std::move(*there);
  const auto& wall = *patient.wall;
  for (const auto& node : as.nodes)
    if (wall.find_node(node) == nullptr)
      return Error{"the wall has no node '" + node + "'", "name one of the wall file's [[node]]s"};
  if (!as.server.empty() && wall.find_server(as.server) == nullptr)
    return Error{"the wall has no server '" + as.server + "'", "name one of the wall file's [[server]]s"};
  patient.nodes = as.nodes;
  patient.server = as.server;
  if (!patient.server.empty() || !patient.nodes.empty()) return {};
  for (const auto& server : wall.servers)
    if (std::ranges::any_of(server.interfaces, is_here)) patient.server = server.name;
  for (const auto& node : wall.nodes)
    if (is_here(node.address)) patient.nodes.push_back(node.name);
  if (!patient.server.empty() || !patient.nodes.empty()) return {};
  return Error{"this host has no address of the wall", "name its part with --node NAME or --server NAME"};
}

}  // namespace

Result<Examination> examine(std::optional<Wall> wall, const WallParts& as, const std::vector<std::string>& content) {
  Patient patient;
  patient.host = read_host_facts({content.begin(), content.end()});
  patient.cpus = read_cpu_state();
  for (const auto& nic : patient.host.nics) patient.cards[nic.name] = read_nic_settings(nic.name);
  patient.udp_segment = socket_takes(UDP_SEGMENT);
  patient.udp_gro = socket_takes(UDP_GRO);
  patient.clock_error = system_clock_error();
  patient.wall = std::move(wall);
  if (patient.wall)
    if (const auto found = find_parts(as, patient); !found) return found.error();
  auto complaints = diagnose(patient);
  if (!complaints) return complaints.error();
  return Examination{std::move(patient), std::move(*complaints)};
}

nlohmann::json report_json(const Examination& examination) {
  const auto& [patient, complaints] = examination;
  nlohmann::json report{
      {"host", patient.host.name}, {"level", text(worst(complaints))}, {"findings", complaints_json(complaints)}};
  if (patient.wall) {
    report["wall"] = patient.wall->name;
    report["server"] = !patient.server.empty();
    if (!patient.server.empty()) report["server_name"] = patient.server;
    report["nodes"] = patient.nodes;
  }
  return report;
}

nlohmann::json facts_json(const Examination& examination) {
  auto host = examination.patient.host;
  for (auto& disk : host.disks) disk.directory = std::filesystem::absolute(disk.directory).lexically_normal();
  return host_json(host);
}

}  // namespace lw
