// wall-relay: forwards the flows of a wall to one of its sites.
#include "common/base/counted.h"
#include "common/base/guarded.h"
#include "common/base/log.h"
#include "common/base/print.h"
#include "common/command_line/command_line.h"
#include "common/concurrency/agent_threads.h"
#include "common/concurrency/pinned_thread.h"
#include "common/host/crash_report.h"
#include "common/host/service_manager.h"
#include "common/host/watchdog.h"
#include "common/plan/receive_buffer_advice.h"
#include "common/wall/geometry.h"
#include "common/wall/names.h"
#include "common/wall/wall_file.h"
#include "relay/relay_flow.h"

#include <spdlog/spdlog.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace lw;

struct Options {
  std::string wall_file;
  std::string site;
  std::string log_level = "info";
  bool json = false;
};

std::atomic<bool> stop_requested{false};

struct RelayFlows {
  std::vector<std::unique_ptr<RelayFlow>> flows;
  AgentThreads threads;  // last: joined before what it uses goes
};

// On all cores that this process may use, in turn. Flows of the same core share its thread.
Result<void> start_flows(const Wall& wall, const WallSite& site, RelayFlows& started) {
  if (const auto priority = wall.streaming.realtime_priority; priority > 0)
    if (const auto allowed = check_realtime(priority); !allowed) spdlog::warn(allowed.error().text());
  const auto cpus = allowed_cpus();
  std::random_device chance;
  std::vector<AgentThreads::Placed> placed;
  for (const auto& band : all_bands(wall)) {
    auto ports = open_relay_ports(wall, site, band);
    if (!ports) return Error(ports.error()).in("flow " + std::to_string(band.flow));
    if (placed.empty()) advise_receive_buffer(wall, band, ports->receive_buffer_bytes);
    started.flows.push_back(std::make_unique<RelayFlow>(wall, site, band, std::move(*ports), chance()));
    placed.push_back({started.flows.back().get(), band.flow, cpus.empty() ? -1 : cpus[band.flow % cpus.size()]});
  }
  return started.threads.start({"relay", wall.streaming.realtime_priority, {}}, placed);
}

nlohmann::json json_of(const RelayStats& stats, unsigned flow) {
  nlohmann::json json{{"flow", flow},
                      {"packets", stats.packets},
                      {"bytes", stats.bytes},
                      {"send_errors", stats.send_errors},
                      {"invalid", stats.invalid},
                      {"receive_calls", stats.receive_calls},
                      {"send_calls", stats.send_calls},
                      {"kept_out", stats.kept_out},
                      {"resends_asked", stats.resends_asked},
                      {"resent", stats.resent},
                      {"resends_refused", stats.resends_refused},
                      {"resends_passed", stats.resends_passed},
                      {"rtcp_refused", stats.rtcp_refused}};
  if (stats.lost) json["lost"] = *stats.lost;
  if (stats.repeated) json["repeated"] = *stats.repeated;
  return json;
}

void print_figures(const RelayFlows& relayed, const WallSite& site) {
  auto flows = nlohmann::json::array();
  for (unsigned i = 0; i < relayed.flows.size(); ++i) flows.push_back(json_of(relayed.flows[i]->stats(), i));
  print_out("{}\n", nlohmann::json{{"site", site.name}, {"flows", std::move(flows)}}.dump());
  std::fflush(stdout);
}

void log_totals(const RelayFlows& relayed) {
  RelayStats all;
  for (const auto& flow : relayed.flows) {
    const auto stats = flow->stats();
    all.packets += stats.packets;
    all.send_errors += stats.send_errors;
    all.resent += stats.resent;
    all.resends_passed += stats.resends_passed;
  }
  spdlog::info("forwarded {}, {} refused by the kernel; resent {}, requested {} from the server",
               counted(all.packets, "packet"), all.send_errors, all.resent, all.resends_passed);
}

Result<const WallSite*> site_of(const Wall& wall, const std::string& name) {
  const auto site = std::ranges::find(wall.sites, name, &WallSite::name);
  if (site == wall.sites.end())
    return Error{"the wall file has no site '" + name + "'",
                 wall.sites.empty() ? "add a [[site]] to it" : "its sites are " + names_of(wall.sites)};
  if (!site->has_relay())
    return Error{"site '" + name + "' has no relay: its nodes join the server's group " + site->group,
                 "start only wall-client there, or set address to that of a relay"};
  return &*site;
}

Result<void> relay(const Options& options) {
  const auto wall = load_wall(options.wall_file);
  if (!wall) return wall.error();
  const auto site = site_of(*wall, options.site);
  if (!site) return site.error();
  RelayFlows relayed;
  if (const auto started = start_flows(*wall, **site, relayed); !started) return started;
  std::size_t bytes = 0;
  for (const auto& flow : relayed.flows) bytes += flow->memory_bytes();
  spdlog::info("site '{}': {} to {}; {} MiB for packets", (*site)->name, counted(relayed.flows.size(), "flow"),
               (*site)->group.empty() ? "its nodes" : "the group " + (*site)->group, bytes >> 20U);
  const ServiceManager manager;
  Watchdog watchdog(manager, [&] { return relayed.threads.turns(); });
  manager.tell("READY=1");
  constexpr std::chrono::milliseconds look_interval{50};
  constexpr std::chrono::seconds print_interval{1};
  auto next_print = LocalClock::now();
  for (; !stop_requested; std::this_thread::sleep_for(look_interval)) {
    watchdog.look(LocalClock::now());
    if (!options.json || LocalClock::now() < next_print) continue;
    next_print += print_interval;
    print_figures(relayed, **site);
  }
  manager.tell("STOPPING=1");
  relayed.threads.stop();
  if (options.json) print_figures(relayed, **site);
  log_totals(relayed);
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  report_crashes("wall-relay");
  Options options;
  CLI::App app(
      "Forwards the flows of a wall to one of its sites, to each node or to a multicast group. Needs no key of the "
      "wall.");
  begin_group(app, "Wall");
  app.add_option("--wall", options.wall_file, "The wall file (TOML)")->option_text("FILE")->required();
  app.add_option("--site", options.site, "The site in the wall file that this relay serves")
      ->option_text("NAME")
      ->required();
  begin_group(app, general_options);
  app.add_flag("--json", options.json, "Print the figures of all flows as a line of JSON, every second and at the end");
  add_log_level(app, options.log_level);
  set_examples(app, {{"the relay of a site", "wall-relay --wall wall.toml --site far"}});
  if (const auto ended = parse_command_line(app, "wall-relay", argc, argv)) return *ended;
  return guarded("wall-relay", [&] {
    start_logging("wall-relay", options.log_level);
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { stop_requested = true; });
    const auto done = relay(options);
    if (done) return 0;
    print_error("wall-relay: {}", done.error().text());
    return 1;
  });
}
