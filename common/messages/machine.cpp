#include "common/messages/machine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <string>

namespace lw {
namespace {

constexpr std::size_t text_bytes_max = 256;

enum class Kind : unsigned char { text, count, number, boolean, counts, texts };

struct Member {
  const char* name;
  Kind kind;
};

bool is_text(const Json& value) {
  return value.is_string() && value.get_ref<const std::string&>().size() <= text_bytes_max;
}

bool is_list_of(const Json& value, bool (*is)(const Json&)) {
  return value.is_array() && value.size() <= machine_list_max && std::ranges::all_of(value, is);
}

bool is_a(Kind kind, const Json& value) {
  const auto is_count = [](const Json& entry) { return entry.is_number_unsigned(); };
  switch (kind) {
    case Kind::text:
      return is_text(value);
    case Kind::count:
      return is_count(value);
    case Kind::number:
      return value.is_number() && std::isfinite(value.get<double>());
    case Kind::boolean:
      return value.is_boolean();
    case Kind::counts:
      return is_list_of(value, is_count);
    case Kind::texts:
      return is_list_of(value, is_text);
  }
  return false;
}

Json known(const Json& from, std::initializer_list<Member> members) {
  Json out = Json::object();
  if (!from.is_object()) return out;
  for (const auto& member : members)
    if (const auto value = from.find(member.name); value != from.end() && is_a(member.kind, *value))
      out[member.name] = *value;
  return out;
}

// The entries of a list in `from`, read by `take`; empty if it is not a list or is too long.
Json each_of(const Json& from, const char* name, const std::function<Json(const Json&)>& take) {
  Json out = Json::array();
  const auto list = from.find(name);
  if (list == from.end() || !list->is_array() || list->size() > machine_list_max) return out;
  for (const auto& entry : *list) out.push_back(take(entry));
  return out;
}

Json interface(const Json& from) {
  auto out = known(from, {{"name", Kind::text},
                          {"addresses", Kind::texts},
                          {"up", Kind::boolean},
                          {"link_gbit_per_s", Kind::number},
                          {"mtu", Kind::count},
                          {"driver", Kind::text},
                          {"numa_node", Kind::count},
                          {"qdisc", Kind::text}});
  if (from.is_object())
    out["transmit_queues"] = each_of(from, "transmit_queues", [](const Json& queue) {
      return known(
          queue,
          {{"queue", Kind::count}, {"irq", Kind::count}, {"sending_cpus", Kind::counts}, {"irq_cpus", Kind::counts}});
    });
  return out;
}

}  // namespace

std::optional<Json> checked_machine(const Json& machine) {
  if (!machine.is_object()) return std::nullopt;
  const auto topology = machine.find("topology");
  if (topology == machine.end() || !topology->is_object()) return std::nullopt;
  auto out = known(machine, {{"name", Kind::text}});
  auto& known_topology = out["topology"] = known(*topology, {{"packages", Kind::count}, {"cpu_model", Kind::text}});
  known_topology["cores"] = each_of(*topology, "cores", [](const Json& core) {
    return known(core, {{"package", Kind::count}, {"numa_node", Kind::count}, {"cpus", Kind::counts}});
  });
  known_topology["numa_nodes"] = each_of(*topology, "numa_nodes", [](const Json& node) {
    return known(node, {{"numa_node", Kind::count}, {"cores", Kind::count}, {"memory_bytes", Kind::count}});
  });
  out["interfaces"] = each_of(machine, "interfaces", interface);
  out["disks"] = each_of(machine, "disks", [](const Json& disk) {
    return known(disk, {{"directory", Kind::text},
                        {"exists", Kind::boolean},
                        {"filesystem", Kind::text},
                        {"free_bytes", Kind::count},
                        {"device", Kind::text},
                        {"model", Kind::text},
                        {"rotational", Kind::boolean},
                        {"numa_node", Kind::count}});
  });
  return out;
}

}  // namespace lw
