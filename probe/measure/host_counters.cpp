#include "probe/measure/host_counters.h"

#include "common/base/whole_number.h"
#include "common/host/sysfs.h"

#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace lw {
namespace {

using Counts = HostCounters::Counts;

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}
std::uint64_t count_of(const std::string& word) { return whole_number<std::uint64_t>(word).value_or(0); }

void read_cpus(const std::filesystem::path& file, std::map<unsigned, Counts>& cpus) {
  // Guests' time is included in user and nice.
  constexpr std::array names{"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"};
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto words = words_of(line);
    if (words.size() <= names.size() || !words[0].starts_with("cpu") || words[0] == "cpu") continue;
    const auto number = whole_number<unsigned>(std::string_view(words[0]).substr(3));
    if (!number) continue;
    for (std::size_t i = 0; i < names.size(); ++i) cpus[*number][names[i]] = count_of(words[i + 1]);
  }
}

void read_interfaces(const std::filesystem::path& folder, std::map<std::string, Counts>& interfaces) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    for (const auto* name : {"rx_bytes", "tx_bytes", "rx_packets", "tx_packets", "rx_dropped", "tx_dropped",
                             "rx_errors", "rx_missed_errors", "rx_fifo_errors"})
      if (const auto count = read_number(entry.path() / "statistics" / name))
        interfaces[entry.path().filename()][name] = static_cast<std::uint64_t>(*count);
}

// Hexadecimal; a line for each CPU.
void read_softnet(const std::filesystem::path& file, Counts& softnet) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::uint64_t processed = 0, dropped = 0, squeezed = 0;
    if (!(words >> std::hex >> processed >> dropped >> squeezed)) continue;
    softnet["processed"] += processed;
    softnet["dropped"] += dropped;
    softnet["time_squeeze"] += squeezed;
  }
}

// Pairs of lines: names, then values.
void read_snmp(const std::filesystem::path& file, std::string_view protocol,
               const std::map<std::string, std::string>& wanted, Counts& counts) {
  std::ifstream in(file);
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    auto words = words_of(line);
    if (words.empty() || words[0] != protocol) continue;
    if (names.empty()) {
      names = std::move(words);
      continue;
    }
    for (std::size_t i = 1; i < std::min(names.size(), words.size()); ++i)
      if (const auto known = wanted.find(names[i]); known != wanted.end()) counts[known->second] = count_of(words[i]);
    return;
  }
}

void read_interrupts(const std::filesystem::path& file, std::map<std::string, HostCounters::Interrupt>& interrupts) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return;
  const auto cpus = words_of(line).size();
  while (std::getline(in, line)) {
    const auto words = words_of(line);
    if (words.size() < cpus + 1 || !words[0].ends_with(':')) continue;
    HostCounters::Interrupt interrupt;
    for (std::size_t i = 0; i < cpus; ++i) interrupt.per_cpu.push_back(count_of(words[i + 1]));
    for (std::size_t i = cpus + 1; i < words.size(); ++i)
      interrupt.name += (interrupt.name.empty() ? "" : " ") + words[i];
    interrupts[words[0].substr(0, words[0].size() - 1)] = std::move(interrupt);
  }
}

// A counter that was reset meanwhile has no meaning.
Counts difference(const Counts& before, const Counts& after) {
  Counts out;
  for (const auto& [name, value] : after)
    if (const auto old = before.find(name); old != before.end() && value >= old->second)
      out[name] = value - old->second;
  return out;
}

nlohmann::json cpu_shares(unsigned cpu, const Counts& ticks) {
  double all = 0;
  for (const auto& [name, count] : ticks) all += static_cast<double>(count);
  nlohmann::json json{{"cpu", cpu}};
  if (all > 0)
    for (const auto& [name, count] : ticks) json[name] = static_cast<double>(count) / all;
  return json;
}

}  // namespace

HostCounters read_host_counters(const std::filesystem::path& root) {
  HostCounters counters;
  read_cpus(root / "proc/stat", counters.cpus);
  read_interfaces(root / "sys/class/net", counters.interfaces);
  read_softnet(root / "proc/net/softnet_stat", counters.softnet);
  read_snmp(root / "proc/net/snmp", "Udp:",
            {{"InDatagrams", "in_datagrams"},
             {"OutDatagrams", "out_datagrams"},
             {"InErrors", "in_errors"},
             {"RcvbufErrors", "rcvbuf_errors"},
             {"SndbufErrors", "sndbuf_errors"}},
            counters.udp);
  read_snmp(root / "proc/net/snmp",
            "Tcp:", {{"InSegs", "in_segments"}, {"OutSegs", "out_segments"}, {"RetransSegs", "retransmitted_segments"}},
            counters.tcp);
  read_interrupts(root / "proc/interrupts", counters.interrupts);
  return counters;
}

nlohmann::json counted_between(const HostCounters& before, const HostCounters& after) {
  auto json = nlohmann::json::object();
  for (const auto& [cpu, ticks] : after.cpus)
    if (const auto old = before.cpus.find(cpu); old != before.cpus.end())
      json["cpus"].push_back(cpu_shares(cpu, difference(old->second, ticks)));
  for (const auto& [name, counts] : after.interfaces) {
    const auto old = before.interfaces.find(name);
    if (old == before.interfaces.end()) continue;
    nlohmann::json interface = difference(old->second, counts);
    interface["name"] = name;
    json["interfaces"].push_back(std::move(interface));
  }
  if (!after.softnet.empty()) json["softnet"] = difference(before.softnet, after.softnet);
  if (!after.udp.empty()) json["udp"] = difference(before.udp, after.udp);
  if (!after.tcp.empty()) json["tcp"] = difference(before.tcp, after.tcp);
  for (const auto& [number, interrupt] : after.interrupts) {
    const auto old = before.interrupts.find(number);
    if (old == before.interrupts.end() || old->second.per_cpu.size() != interrupt.per_cpu.size()) continue;
    std::vector<std::uint64_t> came;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < interrupt.per_cpu.size(); ++i) {
      came.push_back(interrupt.per_cpu[i] - old->second.per_cpu[i]);
      sum += came.back();
    }
    if (sum > 0) json["interrupts"].push_back({{"irq", number}, {"name", interrupt.name}, {"per_cpu", came}});
  }
  return json;
}

}  // namespace lw
