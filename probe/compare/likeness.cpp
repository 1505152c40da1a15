#include "probe/compare/likeness.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace lw {
namespace {

using nlohmann::json;
using Machines = std::map<std::string, std::set<MachineIdentity>>;  // by role

void add_machines(const PointRuns& runs, Machines& machines) {
  for (const auto* run : runs.counting)
    for (const auto& host : run->hosts) machines[host.role].insert(identity_of(host));
}

std::string known(const std::string& text) { return text.empty() ? "unknown" : text; }

void compare_machine(const MachineIdentity& a, const MachineIdentity& b, std::vector<std::string>& unlike) {
  struct Part {
    const char* name;
    std::string MachineIdentity::*text;
  };
  for (const auto& part : {Part{"host", &MachineIdentity::name}, Part{"kernel", &MachineIdentity::kernel},
                           Part{"CPU", &MachineIdentity::cpu_model}})
    if (a.*part.text != b.*part.text)
      unlike.push_back(
          fmt::format("{} {}: {} against {}", a.role, part.name, known(a.*part.text), known(b.*part.text)));
}

void compare_machines(const Machines& a, const Machines& b, std::vector<std::string>& unlike) {
  std::set<std::string> roles;
  for (const auto* side : {&a, &b})
    for (const auto& [role, machines] : *side) {
      roles.insert(role);
      if (machines.size() > 1)
        unlike.push_back(
            fmt::format("{}'s runs have {} different machines as {}", side == &a ? "A" : "B", machines.size(), role));
    }
  if (roles.empty()) unlike.emplace_back("neither names the machine on which it ran");
  for (const auto& role : roles) {
    const auto of_a = a.find(role), of_b = b.find(role);
    if (of_a == a.end() || of_b == b.end())
      unlike.push_back(fmt::format("only {} has a {}", of_a == a.end() ? "B" : "A", role));
    else
      compare_machine(*of_a->second.begin(), *of_b->second.begin(), unlike);
  }
}

// By each setting's place in the load: its values where they first differ, and at how many points they do.
struct LoadDifference {
  std::string a, b;
  std::size_t points = 0;
};

void add_load_differences(const json& a, const json& b, std::map<std::string, LoadDifference>& differences) {
  const auto flat_a = a.flatten(), flat_b = b.flatten();
  std::set<std::string> places;
  for (const auto* side : {&flat_a, &flat_b})
    for (const auto& [place, value] : side->items()) places.insert(place);
  const auto text_of = [](const json& flat, const std::string& place) {
    return flat.contains(place) ? flat.at(place).dump(-1, ' ', false, json::error_handler_t::replace) : "nothing";
  };
  for (const auto& place : places) {
    const auto in_a = text_of(flat_a, place), in_b = text_of(flat_b, place);
    if (in_a == in_b) continue;
    auto& difference = differences[place];
    if (difference.points++ == 0) difference = {in_a, in_b, 1};
  }
}

}  // namespace

std::vector<std::string> unlike_machines(std::span<const PointPair> pairs) {
  std::vector<std::string> unlike;
  Machines machines_a, machines_b;
  for (const auto& pair : pairs) {
    add_machines(*pair.a, machines_a);
    add_machines(*pair.b, machines_b);
  }
  compare_machines(machines_a, machines_b, unlike);
  return unlike;
}

std::vector<std::string> unlikeness(std::span<const PointPair> pairs) {
  auto unlike = unlike_machines(pairs);
  std::map<std::string, LoadDifference> loads;
  for (const auto& pair : pairs) {
    if (pair.a->counting.empty() || pair.b->counting.empty()) continue;
    add_load_differences(pair.a->counting.front()->load, pair.b->counting.front()->load, loads);
  }
  for (const auto& [place, difference] : loads)
    unlike.push_back(fmt::format("load {}: {} against {}{}", place.empty() ? "" : place.substr(1), difference.a,
                                 difference.b,
                                 difference.points > 1 ? fmt::format(" ({} points)", difference.points) : ""));
  return unlike;
}

}  // namespace lw
