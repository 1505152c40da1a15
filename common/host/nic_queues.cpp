#include "common/host/nic_queues.h"

#include "common/host/pcie.h"
#include "common/host/sysfs.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>

namespace lw {
namespace {

constexpr unsigned cpu_max = 8192;

std::optional<unsigned> number(std::string_view text, int base = 10) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

template <class Visit>
void for_each_part(std::string_view text, char separator, const Visit& visit) {
  while (!text.empty()) {
    const auto end = text.find(separator);
    visit(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
}

// Interrupt -> its driver's name for it: the last word of its line in /proc/interrupts.
std::map<unsigned, std::string> interrupt_names(const std::filesystem::path& root) {
  std::map<unsigned, std::string> names;
  std::ifstream stream(root / "proc/interrupts");
  for (std::string line; std::getline(stream, line);) {
    const auto first = line.find_first_not_of(' ');
    const auto colon = line.find(':');
    const auto word = line.find_last_of(' ');
    if (first == std::string::npos || colon == std::string::npos || word == std::string::npos) continue;
    if (const auto irq = number(std::string_view(line).substr(first, colon - first)))
      names[*irq] = line.substr(word + 1);
  }
  return names;
}

// The queue in "enp59s0-TxRx-3", "mlx5_comp3@pci:0000:3b:00.0", "virtio0-output.3"; empty for interrupts that only
// receive or have no queue.
std::optional<unsigned> transmit_queue_of(std::string_view name) {
  name = name.substr(0, name.find('@'));
  if (name.find("input") != std::string_view::npos || name.find("-rx-") != std::string_view::npos) return {};
  const auto digits = name.find_last_not_of("0123456789");
  if (digits == std::string_view::npos || digits + 1 == name.size()) return {};
  for (const char* other : {"async", "config", "event", "ctrl", "cmd", "pages"})
    if (name.find(other) != std::string_view::npos) return {};
  return number(name.substr(digits + 1));
}

void add_interrupts(const std::filesystem::path& interface, const std::filesystem::path& root,
                    std::vector<NicQueue>& queues) {
  const auto function = pci_function_of(interface / "device");
  if (function.empty()) return;
  const auto names = interrupt_names(root);
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(function / "msi_irqs", problem)) {
    const auto irq = number(entry.path().filename().string());
    if (!irq || !names.contains(*irq)) continue;
    const auto index = transmit_queue_of(names.at(*irq));
    const auto queue = index ? std::ranges::find(queues, *index, &NicQueue::index) : queues.end();
    if (queue == queues.end()) continue;
    const auto folder = root / "proc/irq" / std::to_string(*irq);
    auto cpus = read_line(folder / "effective_affinity_list");
    if (!cpus) cpus = read_line(folder / "smp_affinity_list");
    queue->irq = *irq;
    queue->irq_cpus = parse_cpu_list(cpus.value_or(""));
  }
}

}  // namespace

std::vector<unsigned> parse_cpu_list(std::string_view text) {
  std::vector<unsigned> cpus;
  for_each_part(text, ',', [&](std::string_view part) {
    const auto dash = part.find('-');
    const auto first = number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    if (!first || !last || *last > cpu_max) return;
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
  });
  return cpus;
}

std::vector<unsigned> parse_cpu_mask(std::string_view text) {
  std::vector<unsigned> words;
  for_each_part(text, ',', [&](std::string_view part) { words.push_back(number(part, 16).value_or(0)); });
  std::ranges::reverse(words);
  std::vector<unsigned> cpus;
  for (unsigned i = 0; i < words.size() && i < cpu_max / 32; ++i)
    for (unsigned bit = 0; bit < 32; ++bit)
      if ((words[i] >> bit & 1U) != 0) cpus.push_back(i * 32 + bit);
  return cpus;
}

std::vector<NicQueue> read_nic_queues(const std::filesystem::path& interface, const std::filesystem::path& root) {
  std::vector<NicQueue> queues;
  std::error_code problem;
  for (const auto& entry : std::filesystem::directory_iterator(interface / "queues", problem)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with("tx-")) continue;
    const auto index = number(std::string_view(name).substr(3));
    if (index) queues.push_back({*index, parse_cpu_mask(read_line(entry.path() / "xps_cpus").value_or("")), {}, {}});
  }
  std::ranges::sort(queues, {}, &NicQueue::index);
  add_interrupts(interface, root, queues);
  return queues;
}

}  // namespace lw
