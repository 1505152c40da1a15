#include "probe/doctor/doctor_command.h"

#include "common/clock/kernel_clock.h"
#include "probe/doctor/diagnosis.h"
#include "probe/doctor/sysctl_mend.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace lw {
namespace {

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

struct DoctorOptions {
  std::string wall_file;
  std::string node, server;
  std::vector<std::string> content;
  bool apply = false;
  std::string undo = "undo-wall-probe-doctor.sh";
  bool json = false;
};

std::optional<bool> socket_takes(int option) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return {};
  const int value = 1;
  const bool taken = setsockopt(fd, IPPROTO_UDP, option, &value, sizeof(value)) == 0;
  close(fd);
  return taken;
}

// As what parts of the wall this host is looked at: those named, else all whose addresses it has.
Result<void> find_roles(const DoctorOptions& options, Patient& patient) {
  const auto& wall = *patient.wall;
  if (!options.node.empty()) {
    if (wall.find_node(options.node) == nullptr)
      return Error{"the wall has no node '" + options.node + "'", "name one of the wall file's [[node]]s"};
    patient.nodes = {options.node};
  }
  if (!options.server.empty()) {
    if (wall.server.name != options.server)
      return Error{"the wall has no server '" + options.server + "'", "its name is '" + wall.server.name + "'"};
    patient.server = true;
  }
  if (patient.server || !patient.nodes.empty()) return {};
  const auto is_here = [&](const std::string& address) {
    return nic_of_address(patient.host.nics, address) != nullptr;
  };
  patient.server = std::ranges::any_of(wall.server.interfaces, is_here);
  for (const auto& node : wall.nodes)
    if (is_here(node.address)) patient.nodes.push_back(node.name);
  if (patient.server || !patient.nodes.empty()) return {};
  return Error{"this host has no address of the wall", "say what it is to be with --node NAME or --server NAME"};
}

Result<Patient> examine(const DoctorOptions& options) {
  Patient patient;
  patient.host = read_host_facts({options.content.begin(), options.content.end()});
  if (geteuid() == 0) patient.host.limits.memlock_unlimited = true;  // root locks what it likes
  patient.cpus = read_cpu_state();
  for (const auto& nic : patient.host.nics) patient.cards[nic.name] = read_nic_settings(nic.name);
  patient.udp_segment = socket_takes(UDP_SEGMENT);
  patient.udp_gro = socket_takes(UDP_GRO);
  patient.clock_error = system_clock_error();
  if (options.wall_file.empty()) return patient;
  auto wall = load_wall(options.wall_file);
  if (!wall) return wall.error();
  patient.wall = std::move(*wall);
  if (const auto found = find_roles(options, patient); !found) return found.error();
  return patient;
}

Result<void> mend(const std::vector<Complaint>& complaints, const DoctorOptions& options) {
  const auto sysctls = sysctls_of(complaints);
  if (sysctls.empty()) return {};
  if (geteuid() != 0) return Error{"--apply changes kernel settings, which takes root", "run it with sudo"};
  // Standard output is JSON's.
  return apply(sysctls, options.undo,
               [](const std::string& command) { std::fprintf(stderr, "wall-probe: %s\n", command.c_str()); });
}

nlohmann::json report_json(const Patient& patient, const std::vector<Complaint>& complaints) {
  nlohmann::json report{
      {"host", patient.host.name}, {"level", text(worst(complaints))}, {"findings", complaints_json(complaints)}};
  if (patient.wall) {
    report["wall"] = patient.wall->name;
    report["server"] = patient.server;
    report["nodes"] = patient.nodes;
  }
  return report;
}

Result<int> doctor(const DoctorOptions& options) {
  if (options.wall_file.empty() && !(options.node.empty() && options.server.empty()))
    return Error{"--node and --server are of a wall file", "give --wall FILE, too"};
  auto patient = examine(options);
  if (!patient) return patient.error();
  auto complaints = diagnose(*patient);
  if (!complaints) return complaints.error();
  if (options.apply) {
    if (const auto mended = mend(*complaints, options); !mended) return mended.error();
    patient->host.limits = read_limits();
    complaints = diagnose(*patient);
  }
  const auto out = options.json ? report_json(*patient, *complaints).dump(2) + "\n" : complaints_text(*complaints);
  std::fputs(out.c_str(), stdout);
  return worst(*complaints) == Level::fail ? 1 : 0;
}

}  // namespace

Command doctor_command(CLI::App& program) {
  auto options = std::make_shared<DoctorOptions>();
  auto* app = program.add_subcommand("doctor", "This host against what a wall wants of it, each finding with its mend");
  app->add_option("--wall", options->wall_file, "The wall file (TOML); without it, what any wall wants");
  app->add_option("--node", options->node, "Look at this host as this node")->option_text("NAME");
  app->add_option("--server", options->server, "Look at this host as this server")->option_text("NAME");
  app->add_option("--content", options->content, "Directories that content is played from")->delimiter(',');
  auto* apply = app->add_flag("--apply", options->apply, "Set the kernel settings that are named (root)");
  app->add_option("--undo", options->undo, "With --apply: the script that takes them back")
      ->needs(apply)
      ->option_text("FILE")
      ->capture_default_str();
  app->add_flag("--json", options->json);
  return {app, [options](const std::atomic<bool>&) { return doctor(*options); }};
}

}  // namespace lw
