#include "probe/doctor/doctor_command.h"

#include "common/base/print.h"
#include "common/base/read_file.h"
#include "common/command_line/command_line.h"
#include "common/wall/names.h"
#include "probe/call/credential_options.h"
#include "probe/call/serving_probe.h"
#include "probe/doctor/memory_rate.h"
#include "probe/doctor/output_files.h"
#include "probe/doctor/sysctl_mend.h"
#include "probe/doctor/wall_rounds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace lw {
namespace {

constexpr std::chrono::milliseconds memory_rate_time{500};     // for each NUMA node
constexpr std::size_t wall_bytes_max = std::size_t{1} << 19U;  // must fit into a message as JSON

struct DoctorOptions {
  std::string wall_file;
  std::string node, server;
  std::vector<std::string> content;
  bool apply = false;
  bool dry_run = false;
  std::string undo = "undo-wall-probe-doctor.sh";
  bool memory_rate = false;
  bool all = false;
  std::uint16_t port = probe_port;
  CredentialOptions credentials;
  bool json = false;
};

Result<void> mend(const std::vector<Complaint>& complaints, const DoctorOptions& options) {
  const auto sysctls = sysctls_of(complaints);
  // Standard output is for JSON.
  const auto tell = [](const std::string& change) { print_error("wall-probe: {}", change); };
  if (options.dry_run) {
    for (const auto& change : changes_of(sysctls)) tell(change);
    return {};
  }
  if (!sysctls.empty() && geteuid() != 0)
    return Error{"--apply changes kernel settings, which requires root", "run it with sudo"};
  return apply(sysctls, options.undo, tell);
}

// The parts named on the command line.
Result<WallParts> parts_of(const DoctorOptions& options, const Wall& wall) {
  WallParts parts;
  if (!options.node.empty()) parts.nodes = {options.node};
  if (!options.server.empty() && wall.find_server(options.server) == nullptr)
    return Error{"the wall file has no server '" + options.server + "'", "its servers are " + names_of(wall.servers)};
  parts.server = options.server;
  return parts;
}

// The report, and the facts that wall-server --plan --host reads.
std::string json_text(const Examination& examination) {
  auto report = report_json(examination);
  report["facts"] = facts_json(examination);
  return report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// Also the files beside the wall file, which other hosts may not have.
Result<Examination> examine_here(const std::optional<Wall>& wall, const WallParts& parts,
                                 const std::vector<std::string>& content) {
  auto examined = examine(wall, parts, content);
  if (!examined || !examined->patient.wall) return examined;
  for (auto& complaint : examine_output_files(*examined->patient.wall, examined->patient.nodes))
    examined->complaints.push_back(std::move(complaint));
  return examined;
}

Result<int> doctor(const DoctorOptions& options) {
  if (options.wall_file.empty() && !(options.node.empty() && options.server.empty()))
    return Error{"--node and --server need a wall file", "add --wall FILE"};
  std::optional<Wall> wall;
  WallParts parts;
  if (!options.wall_file.empty()) {
    auto loaded = load_wall(options.wall_file);
    if (!loaded) return loaded.error();
    auto named = parts_of(options, *loaded);
    if (!named) return named.error();
    wall = std::move(*loaded);
    parts = std::move(*named);
  }
  auto examined = examine_here(wall, parts, options.content);
  if (!examined) return examined.error();
  if (options.apply) {
    if (const auto mended = mend(examined->complaints, options); !mended) return mended.error();
    examined = examine_here(wall, parts, options.content);
    if (!examined) return examined.error();
  }
  if (options.memory_rate)
    if (const auto measured = measure_memory_rates(examined->patient.host.topology, memory_rate_time); !measured)
      return measured.error();
  print_out("{}", options.json ? json_text(*examined) : complaints_text(examined->complaints));
  return worst(examined->complaints) == Level::fail ? 1 : 0;
}

nlohmann::json rounds_json(const std::vector<HostReport>& reports, Level level) {
  auto hosts = nlohmann::json::array();
  for (const auto& report : reports)
    hosts.push_back({{"address", report.of.address},
                     {"host", report.host},
                     {"server", !report.of.parts.server.empty()},
                     {"nodes", report.of.parts.nodes},
                     {"level", text(worst(report.complaints))},
                     {"findings", complaints_json(report.complaints)}});
  return {{"level", text(level)}, {"hosts", std::move(hosts)}};
}

std::string rounds_text(const std::vector<HostReport>& reports) {
  std::string out;
  for (const auto& report : reports) {
    auto parts = report.of.parts.nodes;
    if (const auto& server = report.of.parts.server; !server.empty()) parts.insert(parts.begin(), "server " + server);
    out += fmt::format("{}{}{}: {}\n{}", out.empty() ? "" : "\n", report.of.address,
                       report.host.empty() ? "" : " (" + report.host + ")", fmt::join(parts, ", "),
                       complaints_text(report.complaints));
  }
  return out;
}

Result<int> doctor_of_all(const DoctorOptions& options, const std::atomic<bool>& stop) {
  auto toml = read_file(options.wall_file, wall_bytes_max, "name a wall file");
  if (!toml) return toml.error();
  const auto reports =
      make_rounds({std::move(*toml), options.wall_file, options.content, options.port, options.credentials}, stop);
  if (!reports) return reports.error();
  auto level = Level::ok;
  for (const auto& report : *reports) level = std::max(level, worst(report.complaints));
  const auto out = options.json ? rounds_json(*reports, level).dump(2) + "\n" : rounds_text(*reports);
  print_out("{}", out);
  return level == Level::fail ? 1 : 0;
}

}  // namespace

Command doctor_command(CLI::App& program) {
  auto options = std::make_shared<DoctorOptions>();
  auto* app = program.add_subcommand(
      "doctor", "Check this host against the requirements of a wall; each finding comes with its fix");
  begin_group(*app, "What to check");
  auto* wall =
      app->add_option("--wall", options->wall_file, "The wall file (TOML); without it, check what every wall needs")
          ->option_text("FILE");
  auto* node = app->add_option("--node", options->node, "Check this host as this node")->option_text("NAME");
  auto* server = app->add_option("--server", options->server, "Check this host as this server")->option_text("NAME");
  app->add_option("--content", options->content, "Directories with content")
      ->delimiter(',')
      ->option_text("DIR[,DIR...]");
  auto* all =
      app->add_flag("--all", options->all, "Check every host of the wall; the others must run wall-probe serve");
  app->add_option("--port", options->port, "With --all: the port of wall-probe serve")
      ->needs(all)
      ->option_text("PORT")
      ->capture_default_str();
  auto* memory_rate = app->add_flag("--memory-rate", options->memory_rate,
                                    "With --json: measure how fast each NUMA node's cores read its memory; keeps all "
                                    "cores busy for half a second per node");
  begin_group(*app, "Fix");
  auto* apply = app->add_flag("--apply", options->apply,
                              "Set the kernel settings in the findings, now and in /etc/sysctl.d/90-lambdawall.conf "
                              "for the next boots; print each first (root)");
  app->add_flag("--dry-run", options->dry_run, "With --apply: only print what it would change")->needs(apply);
  app->add_option("--undo", options->undo, "With --apply: the script that restores them")
      ->needs(apply)
      ->option_text("FILE")
      ->capture_default_str();
  add_credential_options(*app, options->credentials);
  begin_group(*app, general_options);
  auto* json = app->add_flag("--json", options->json, "Print the findings and the facts about this host as JSON");
  all->needs(wall)->excludes(node)->excludes(server)->excludes(apply)->excludes(memory_rate);
  memory_rate->needs(json);
  set_examples(*app, {{"this host, as the node left of a wall", "wall-probe doctor --wall wall.toml --node left"},
                      {"every host of a wall", "wall-probe doctor --wall wall.toml --all"},
                      {"what would be changed to fix it", "wall-probe doctor --wall wall.toml --apply --dry-run"}});
  return {app, [options](const std::atomic<bool>& stop) {
            return options->all ? doctor_of_all(*options, stop) : doctor(*options);
          }};
}

}  // namespace lw
