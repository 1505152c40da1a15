#include "common/host/facts_file.h"

#include "common/base/read_file.h"
#include "common/base/short_text.h"
#include "common/messages/message.h"
#include "common/net/address.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace lw {
namespace {

constexpr std::size_t file_bytes_max = std::size_t{16} << 20U;
constexpr std::size_t entries_max = 65'536;  // of any list
constexpr std::size_t text_bytes_max = 4096;
constexpr std::size_t shown_max = 80;  // of names quoted in errors
constexpr double rate_max = 1e15;      // bytes/s or Gbit/s: no host has more
constexpr Whole number_of_anything{0, 65'535};
constexpr Whole size{0, std::numeric_limits<std::int64_t>::max()};
constexpr Whole count{0, std::numeric_limits<std::int32_t>::max()};
constexpr const char* write_again = "correct the file, or write it again with wall-probe doctor --json";

// The members of one object, read one after the other. Keeps the first error of the file.
class Members {
public:
  Members(const Json& object, std::string path, std::optional<std::string>& problem)
      : object_(object), path_(std::move(path)), problem_(problem) {
    if (!object.is_object()) fail_here("must be an object");
  }

  template <class Number>
  void whole(const char* key, std::optional<Number>& out, const Whole& bounds) {
    const auto* value = find(key);
    if (value == nullptr) return;
    const auto number = JsonDocument::whole(value);
    if (!number || !number->is_within(bounds))
      return fail(key, fmt::format("must be a whole number from {} to {}", bounds.min, bounds.max));
    out = static_cast<Number>(number->bits);
  }
  template <class Number>
  void required_whole(const char* key, Number& out, const Whole& bounds) {
    std::optional<Number> value;
    require(key);
    whole(key, value, bounds);
    out = value.value_or(Number{});
  }
  void rate(const char* key, std::optional<double>& out) {
    const auto* value = find(key);
    if (value == nullptr) return;
    const auto number = JsonDocument::number(value);
    if (!number || !(*number > 0 && *number <= rate_max)) return fail(key, "must be a positive number");
    out = *number;
  }
  void truth(const char* key, std::optional<bool>& out) {
    const auto* value = find(key);
    if (value == nullptr) return;
    if (!value->is_boolean()) return fail(key, "must be true or false");
    out = value->get<bool>();
  }
  void required_truth(const char* key, bool& out) {
    std::optional<bool> value;
    require(key);
    truth(key, value);
    out = value.value_or(false);
  }
  void text(const char* key, std::optional<std::string>& out) {
    const auto* value = find(key);
    if (value == nullptr) return;
    if (!is_text(*value)) return fail(key, fmt::format("must be a text of 1 to {} bytes", text_bytes_max));
    out = value->get<std::string>();
  }
  void required_text(const char* key, std::string& out) {
    std::optional<std::string> value;
    require(key);
    text(key, value);
    out = value.value_or("");
  }
  // Calls `read` with each entry of a list and its path.
  void list(const char* key, bool required, const std::function<void(const Json&, const std::string&)>& read) {
    if (required) require(key);
    const auto* value = find(key);
    if (value == nullptr) return;
    if (!value->is_array() || value->size() > entries_max)
      return fail(key, fmt::format("must be an array of at most {}", entries_max));
    for (std::size_t i = 0; i < value->size() && !problem_; ++i)
      read((*value)[i], fmt::format("{}.{}[{}]", path_, key, i));
  }
  void cpus(const char* key, bool required, std::vector<unsigned>& out) {
    list(key, required, [&](const Json& entry, const std::string& path) {
      const auto cpu = JsonDocument::whole(&entry);
      if (cpu && cpu->is_within(number_of_anything))
        out.push_back(static_cast<unsigned>(cpu->bits));
      else
        problem_ = fmt::format("{} must be a whole number from {} to {}", path, number_of_anything.min,
                               number_of_anything.max);
    });
  }
  // An object in this one. Calls `read` if it is present.
  void inside(const char* key, bool required, const std::function<void(Members&)>& read) {
    if (required) require(key);
    const auto* value = find(key);
    if (value == nullptr) return;
    Members members(*value, path_ + "." + key, problem_);
    if (!problem_) read(members);
    members.close();
  }
  // A member that needs no check.
  void ignore(const char* key) { known_.insert(key); }
  void require(const char* key) {
    if (!problem_ && !object_.contains(key)) problem_ = fmt::format("{}.{} is missing", path_, key);
  }
  void fail(const char* key, const std::string& what) {
    if (!problem_) problem_ = fmt::format("{}.{} {}", path_, key, what);
  }
  void fail_here(const std::string& what) {
    if (!problem_) problem_ = path_ + " " + what;
  }
  [[nodiscard]] bool failed() const { return problem_.has_value(); }
  // Call after the last member: the others are unknown.
  void close() {
    for (auto member = object_.begin(); !problem_ && member != object_.end(); ++member)
      if (!known_.contains(member.key()))
        problem_ = fmt::format("{} has an unknown member {}", path_, short_text(member.key(), shown_max));
  }

private:
  static bool is_text(const Json& value) {
    if (!value.is_string()) return false;
    const auto& text = value.get_ref<const std::string&>();
    return !text.empty() && text.size() <= text_bytes_max;
  }
  const Json* find(const char* key) {
    known_.insert(key);
    if (problem_) return nullptr;
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  const Json& object_;
  std::string path_;
  std::optional<std::string>& problem_;
  std::set<std::string, std::less<>> known_;
};

// Reads the entries of a list of objects.
template <class Entry>
void read_each(Members& of, const char* key, std::vector<Entry>& out, std::optional<std::string>& problem,
               void (*read)(Members&, Entry&, std::optional<std::string>&)) {
  of.list(key, true, [&](const Json& object, const std::string& path) {
    Members members(object, path, problem);
    if (problem) return;
    read(members, out.emplace_back(), problem);
    members.close();
  });
}

void read_core(Members& members, Core& core, std::optional<std::string>& /*problem*/) {
  members.required_whole("package", core.package, number_of_anything);
  members.whole("numa_node", core.numa_node, number_of_anything);
  members.cpus("cpus", true, core.cpus);
  if (core.cpus.empty()) members.fail("cpus", "must name a CPU");
}

void read_node(Members& members, NumaNode& node, std::optional<std::string>& /*problem*/) {
  members.required_whole("numa_node", node.index, number_of_anything);
  members.required_whole("cores", node.cores, number_of_anything);
  members.whole("memory_bytes", node.memory_bytes, size);
  members.rate("memory_bytes_per_s", node.memory_bytes_per_s);
}

void read_distances(Members& members, Topology& topology, std::optional<std::string>& problem) {
  members.list("numa_distances", false, [&](const Json& row, const std::string& path) {
    auto& distances = topology.distances.emplace_back();
    for (std::size_t i = 0; row.is_array() && row.size() == topology.numa_nodes.size() && i < row.size(); ++i)
      if (const auto distance = JsonDocument::whole(&row[i]); distance && distance->is_within(count))
        distances.push_back(distance->bits);
    if (distances.size() != topology.numa_nodes.size())
      problem = path + " must be an array of whole numbers, one for each of numa_nodes";
  });
  if (!topology.distances.empty() && topology.distances.size() != topology.numa_nodes.size())
    members.fail("numa_distances", "must have a row for each of numa_nodes");
}

void read_topology_facts(Members& members, Topology& topology, std::optional<std::string>& problem) {
  members.required_whole("packages", topology.packages, number_of_anything);
  members.text("cpu_model", topology.cpu_model);
  read_each(members, "cores", topology.cores, problem, read_core);
  read_each(members, "numa_nodes", topology.numa_nodes, problem, read_node);
  read_distances(members, topology, problem);
  std::set<unsigned> cpus;
  for (const auto& core : topology.cores)
    for (const auto cpu : core.cpus)
      if (!cpus.insert(cpu).second) members.fail("cores", fmt::format("contain CPU {} more than once", cpu));
}

PcieSpeed read_speed(Members& of, const char* key) {
  PcieSpeed speed;
  of.inside(key, true, [&](Members& members) {
    constexpr Whole generations{pcie_generations.front().generation, pcie_generations.back().generation};
    members.required_whole("generation", speed.generation, generations);
    members.required_whole("lanes", speed.lanes, Whole{1, 32});
    std::optional<double> gbit;
    members.rate("gbit_per_s", gbit);
    const auto expected = speed.data_rate().gbit();
    if (!members.failed() && gbit && std::abs(*gbit - expected) > expected / 1000)
      members.fail("gbit_per_s", fmt::format("must be {:.3f}, as generation and lanes say", expected));
  });
  return speed;
}

void read_pcie(Members& of, std::optional<PcieLink>& link) {
  of.inside("pcie", false, [&](Members& members) {
    link = PcieLink{read_speed(members, "current"), read_speed(members, "best")};
    std::optional<bool> below;
    members.truth("below_best", below);
    if (!members.failed() && below && *below != link->below_best())
      members.fail("below_best", fmt::format("must be {}, as current and best say", link->below_best()));
  });
}

void read_queue(Members& members, NicQueue& queue, std::optional<std::string>& /*problem*/) {
  members.required_whole("queue", queue.index, number_of_anything);
  members.whole("irq", queue.irq, count);
  members.cpus("sending_cpus", false, queue.sending_cpus);
  members.cpus("irq_cpus", false, queue.irq_cpus);
}

void read_interface(Members& members, Nic& nic, std::optional<std::string>& problem) {
  members.required_text("name", nic.name);
  members.list("addresses", false, [&](const Json& entry, const std::string& path) {
    const auto text = entry.is_string() ? entry.get<std::string>() : std::string();
    if (Address::parse(text, 0))
      nic.addresses.push_back(text);
    else
      problem = path + " must be a numeric IPv4 or IPv6 address";
  });
  members.required_truth("up", nic.up);
  std::optional<double> gbit;
  members.rate("link_gbit_per_s", gbit);
  if (gbit) nic.link_rate = BitRate::gbit(*gbit);
  members.whole("mtu", nic.mtu, Whole{1, count.max});
  members.text("driver", nic.driver);
  members.whole("numa_node", nic.numa_node, number_of_anything);
  members.text("qdisc", nic.qdisc);
  read_pcie(members, nic.pcie);
  members.list("transmit_queues", false, [&](const Json& object, const std::string& path) {
    Members queue(object, path, problem);
    if (problem) return;
    read_queue(queue, nic.queues.emplace_back(), problem);
    queue.close();
  });
}

void read_disk_facts(Members& members, Disk& disk, std::optional<std::string>& /*problem*/) {
  std::string directory;
  members.required_text("directory", directory);
  disk.directory = directory;
  if (!disk.directory.is_absolute()) members.fail("directory", "must be a full path");
  members.required_truth("exists", disk.exists);
  members.text("filesystem", disk.filesystem);
  members.whole("free_bytes", disk.free_bytes, size);
  members.truth("direct_io", disk.direct_io);
  members.text("device", disk.device);
  members.text("model", disk.model);
  members.truth("rotational", disk.rotational);
  members.whole("numa_node", disk.numa_node, number_of_anything);
  members.rate("read_bytes_per_s", disk.read_bytes_per_s);
  read_pcie(members, disk.pcie);
}

void read_limits_facts(Members& members, Limits& limits) {
  constexpr Whole no_limit_or_more{-1, size.max};
  members.text("kernel", limits.kernel);
  members.whole("rmem_max_bytes", limits.rmem_max, size);
  members.whole("wmem_max_bytes", limits.wmem_max, size);
  members.whole("optmem_max_bytes", limits.optmem_max, size);
  members.whole("netdev_max_backlog", limits.netdev_max_backlog, size);
  members.whole("memlock_bytes", limits.memlock_bytes, size);
  std::optional<bool> unlimited;
  members.truth("memlock_unlimited", unlimited);
  limits.memlock_unlimited = unlimited.value_or(false);
  members.whole("open_files", limits.open_files, size);
  members.whole("realtime_priority_max", limits.realtime_priority_max, size);
  members.whole("realtime_us_per_second", limits.realtime_us_per_second, no_limit_or_more);
  members.whole("swap_bytes", limits.swap_bytes, size);
  members.whole("memory_bytes", limits.memory_bytes, size);
  members.whole("memory_available_bytes", limits.memory_available_bytes, size);
  members.whole("huge_pages", limits.huge_pages, size);
  members.whole("huge_page_bytes", limits.huge_page_bytes, size);
  members.text("transparent_huge_pages", limits.transparent_huge_pages);
  members.truth("io_uring", limits.io_uring);
}

HostFacts read_facts(Members& members, std::optional<std::string>& problem) {
  HostFacts facts;
  members.required_text("name", facts.name);
  members.inside("topology", true, [&](Members& inside) { read_topology_facts(inside, facts.topology, problem); });
  read_each(members, "interfaces", facts.nics, problem, read_interface);
  read_each(members, "disks", facts.disks, problem, read_disk_facts);
  members.inside("limits", true, [&](Members& inside) { read_limits_facts(inside, facts.limits); });
  return facts;
}

// `sources` is for people, but a source of a figure that the file does not have is a mistake.
void check_sources(const Json& report, std::optional<std::string>& problem) {
  const auto sources = report.find("sources");
  if (problem || sources == report.end()) return;
  if (!sources->is_object()) problem = "sources must be an object";
  for (auto source = sources->begin(); !problem && source != sources->end(); ++source) {
    const auto name = short_text(source.key(), shown_max);
    if (!source->is_string()) problem = fmt::format("sources.{} must be a text", name);
    const auto points_to = [&] {
      try {
        return report["facts"].contains(Json::json_pointer(source.key()));
      } catch (const Json::exception&) {
        return false;
      }
    };
    if (!problem && !points_to()) problem = fmt::format("sources.{} is not a JSON pointer to a member of facts", name);
  }
}

}  // namespace

Result<HostFacts> parse_host_facts(std::string_view json, const std::string& file_name) {
  const auto error = [&](const std::string& what) { return Error{file_name + ": " + what, write_again}; };
  const auto report = Json::parse(json, nullptr, false);
  if (report.is_discarded()) return error("it is not valid JSON");
  if (!report.is_object()) return error("it must be a JSON object");
  if (!report.contains("facts")) return error("facts is missing");
  constexpr std::array known{"facts", "findings", "host", "level", "nodes", "server", "server_name", "sources", "wall"};
  for (const auto& [key, value] : report.items())
    if (std::ranges::find(known, key) == known.end())
      return error("it has an unknown member " + short_text(key, shown_max));
  std::optional<std::string> problem;
  Members members(report["facts"], "facts", problem);
  auto facts = problem ? HostFacts{} : read_facts(members, problem);
  members.close();
  check_sources(report, problem);
  if (problem) return error(*problem);
  return facts;
}

Result<HostFacts> load_host_facts(const std::filesystem::path& file) {
  const auto text = read_file(file, file_bytes_max, "name a file that wall-probe doctor --json wrote");
  return text ? parse_host_facts(*text, file.string()) : text.error();
}

}  // namespace lw
