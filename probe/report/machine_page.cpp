#include "probe/report/machine_page.h"

#include "probe/report/script.h"
#include "probe/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lw {
namespace {

using nlohmann::json;
constexpr std::size_t value_characters_max = 400;

std::string value_text(const json& value) {
  const auto text =
      value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, json::error_handler_t::replace);
  return shortened(text, value_characters_max);
}

bool is_list_of_objects(const json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const json& entry) { return entry.is_object(); });
}

// "pcie.current.lanes" and its value, for all nested values.
void flatten(const json& value, const std::string& name, std::map<std::string, std::string>& out) {
  if (value.is_object())
    for (const auto& [key, entry] : value.items())
      flatten(entry, name.empty() ? key : fmt::format("{}.{}", name, key), out);
  else
    out[name] = value_text(value);
}

std::string list_html(const json& list) {
  Table table;
  std::vector<std::map<std::string, std::string>> entries;
  for (const auto& entry : list) {
    flatten(entry, "", entries.emplace_back());
    for (const auto& [key, text] : entries.back())
      if (std::ranges::find(table.heads, key) == table.heads.end()) table.heads.push_back(key);
  }
  // Names go first.
  std::stable_partition(table.heads.begin(), table.heads.end(),
                        [](const std::string& head) { return head == "name" || head == "directory"; });
  for (const auto& entry : entries) {
    auto& row = table.rows.emplace_back();
    for (const auto& head : table.heads) row.push_back(entry.contains(head) ? entry.at(head) : "");
  }
  return html(table, table.heads.size());
}

// A row for each node, as `numactl --hardware` prints them. Empty if the host states none.
std::string distances_html(const json& facts) {
  const auto place = "/topology/numa_distances"_json_pointer;
  if (!facts.contains(place) || !facts.at(place).is_array()) return {};
  const auto& distances = facts.at(place);
  Table table{{"from NUMA node"}, {}};
  for (std::size_t node = 0; node < distances.size(); ++node) {
    table.heads.push_back(fmt::format("to {}", node));
    auto& row = table.rows.emplace_back(1, fmt::format("{}", node));
    if (!distances[node].is_array()) return {};
    for (const auto& distance : distances[node]) row.push_back(value_text(distance));
  }
  return fmt::format("<h3>NUMA distances</h3>\n{}", html(table, 1));
}

std::string facts_html(const json& facts) {
  Table plain{{"fact", "value"}, {}};
  std::string lists = distances_html(facts);
  for (const auto& [key, value] : facts.items()) {
    if (is_list_of_objects(value)) {
      lists += fmt::format("<h3>{}</h3>\n{}", escaped(key), list_html(value));
      continue;
    }
    std::map<std::string, std::string> entries;
    flatten(value, key, entries);
    entries.erase("topology.numa_distances");  // has its own table
    for (const auto& [name, text] : entries) plain.rows.push_back({name, text});
  }
  return html(plain, 2) + lists;
}

}  // namespace

std::string machines_html(const Results& results) {
  std::map<MachineIdentity, const ResultHost*> machines;
  std::map<std::string, int> of_role;
  for (const auto& run : results.runs)
    for (const auto& host : run.hosts)
      if (machines.emplace(identity_of(host), &host).second) ++of_role[host.role];
  if (machines.empty()) return {};
  std::string out = "<h2>Machines</h2>\n";
  if (std::ranges::any_of(of_role, [](const auto& role) { return role.second > 1; }))
    out += "<p class=\"warn\">The runs are from different machines: do not compare their figures.</p>\n";
  for (const auto& [machine, host] : machines)
    out +=
        fmt::format("<details><summary>{}: {}, kernel {}, {}</summary>\n{}</details>\n", escaped(machine.role),
                    escaped(machine.name), escaped(machine.kernel.empty() ? "unknown" : machine.kernel),
                    escaped(machine.cpu_model.empty() ? "CPU unknown" : machine.cpu_model), facts_html(*host->facts));
  return out;
}

}  // namespace lw
