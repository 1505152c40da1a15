#include "server/print_plan.h"

#include "common/base/print.h"
#include "common/host/facts_file.h"
#include "common/plan/plan.h"
#include "common/plan/planned_host.h"
#include "common/wall/names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

namespace lw {
namespace {

using Directories = std::vector<std::filesystem::path>;

// The hosts from files; "" is that of all servers that are not named.
using Hosts = std::map<std::string, HostFacts>;

// A name with a folder is never a server's, so that any file can be named.
Result<std::pair<std::string, std::string>> server_and_file(const Wall& wall, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || text.find('/') < equals) return std::pair(std::string(), text);
  const auto server = text.substr(0, equals);
  if (wall.find_server(server) == nullptr)
    return Error{"--host " + text + ": the wall file has no server '" + server + "'",
                 "its servers are " + names_of(wall.servers) + "; a file with '=' in its name needs its folder"};
  return std::pair(server, text.substr(equals + 1));
}

Result<Hosts> load_hosts(const Wall& wall, const std::vector<std::string>& options) {
  Hosts hosts;
  for (const auto& option : options) {
    const auto named = server_and_file(wall, option);
    if (!named) return named.error();
    const auto& [server, file] = *named;
    auto facts = load_host_facts(file);
    if (!facts) return facts.error();
    if (!hosts.emplace(server, std::move(*facts)).second)
      return Error{
          server.empty() ? "--host FILE is given more than once" : "--host " + server + "= is given more than once",
          "give one for each server (--host SERVER=FILE) and one for all others"};
  }
  return hosts;
}

bool is_here(const WallServer& server, const std::vector<Nic>& nics) {
  const auto here = [&](const std::string& address) { return nic_of_address(nics, address) != nullptr; };
  return server.interfaces.empty() ? here(server.control_host) : std::ranges::any_of(server.interfaces, here);
}

Result<std::vector<const WallServer*>> servers_to_plan(const Wall& wall, const PlanRequest& request,
                                                       const Hosts& hosts) {
  std::vector<const WallServer*> servers;
  if (!request.server.empty()) {
    const auto* server = wall.find_server(request.server);
    if (server == nullptr)
      return Error{"the wall file has no server '" + request.server + "'", "its servers are " + names_of(wall.servers)};
    servers.push_back(server);
    return servers;
  }
  const auto nics = wall.servers.size() > 1 && !hosts.contains("") ? read_nics() : std::vector<Nic>();
  for (const auto& server : wall.servers) {
    if (wall.servers.size() > 1 && !hosts.contains("") && !hosts.contains(server.name) && !is_here(server, nics))
      return Error{"server " + server.name + " is on another host, whose facts are missing",
                   "add --host " + server.name +
                       "=FILE with the output of wall-probe doctor --json on that host, or "
                       "plan one server with --server NAME"};
    servers.push_back(&server);
  }
  return servers;
}

// Of the server's host, with the disks of `directories`.
HostFacts facts_for(const WallServer& server, const Hosts& hosts, const Directories& directories) {
  auto found = hosts.find(server.name);
  if (found == hosts.end()) found = hosts.find("");
  if (found == hosts.end()) return read_host_facts(directories);
  auto facts = as_host_of(server, found->second);
  facts.disks = disks_below(found->second.disks, directories);
  return facts;
}

Plan plan_of(const Wall& wall, const WallServer& server, const LibraryEntry& entry, const Hosts& hosts) {
  const auto stripes = stripe_directories_of(entry.manifest, entry.folder);
  return make_plan(wall, server, entry.manifest, facts_for(server, hosts, stripes), stripes);
}

// Without content: as if it were striped over the content directories, or, without any, over the disks of the facts.
Plan plan_without_content(const Wall& wall, const WallServer& server, const Library& library, const Hosts& hosts) {
  Directories stripes;
  for (const auto& directory : library.directories())
    stripes.push_back(std::filesystem::absolute(directory).lexically_normal());
  if (stripes.empty())
    for (const auto* key : {server.name.c_str(), ""})
      if (const auto found = hosts.find(key); found != hosts.end() && stripes.empty())
        for (const auto& disk : found->second.disks) stripes.push_back(disk.directory);
  return make_plan(wall, server, facts_for(server, hosts, stripes), stripes);
}

}  // namespace

Result<void> print_plan(const Wall& wall, const Library& library, const PlanRequest& request) {
  const auto& name = request.visualization;
  if (!name.empty() && library.find(name) == nullptr)
    return Error{"no visualization '" + name + "' in the content directories", "--content says where to look"};
  const auto hosts = load_hosts(wall, request.hosts);
  if (!hosts) return hosts.error();
  const auto servers = servers_to_plan(wall, request, *hosts);
  if (!servers) return servers.error();
  std::vector<std::pair<std::string, Plan>> plans;
  for (const auto* server : *servers) {
    const auto before = plans.size();
    for (const auto& entry : library.entries())
      if (name.empty() || entry.manifest.name == name)
        plans.emplace_back(entry.manifest.name, plan_of(wall, *server, entry, *hosts));
    if (plans.size() == before) plans.emplace_back("", plan_without_content(wall, *server, library, *hosts));
  }
  if (request.json) {
    auto out = nlohmann::json::array();
    for (const auto& [visualization, plan] : plans) {
      auto object = plan_json(plan);
      if (!visualization.empty()) object["visualization"] = visualization;
      out.push_back(std::move(object));
    }
    print_out("{}\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    for (const auto& [visualization, plan] : plans) print_out("{}\n", plan_text(plan));
  }
  return {};
}

nlohmann::json plan_as_json(const Wall& wall, const WallServer& server, const LibraryEntry& entry) {
  return plan_json(plan_of(wall, server, entry, {}));
}

}  // namespace lw
