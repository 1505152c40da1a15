#include "wall-control/models/machines.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace lw {
namespace {

struct MachineTexts {
  Q_DECLARE_TR_FUNCTIONS(Machines)
};

std::optional<int> index_of(const std::optional<unsigned>& number) {
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::vector<int> indexes_of(const std::optional<std::vector<unsigned>>& numbers) {
  std::vector<int> indexes;
  if (numbers)
    for (const auto number : *numbers) indexes.push_back(static_cast<int>(number));
  return indexes;
}

QString text_of(const std::optional<std::string>& text) { return QString::fromStdString(text.value_or("")); }

QString list_text(const std::optional<std::vector<unsigned>>& numbers) {
  QStringList words;
  for (const int number : indexes_of(numbers)) words << QString::number(number);
  return words.join(',');
}

QString queue_text(const QueueFacts& queue) {
  auto words = MachineTexts::tr("queue %1").arg(queue.queue.value_or(0));
  if (queue.sending_cpus) words += MachineTexts::tr(" of CPU %1").arg(list_text(queue.sending_cpus));
  if (queue.irq) words += MachineTexts::tr(", interrupt %1").arg(*queue.irq);
  if (queue.irq_cpus) words += MachineTexts::tr(" on CPU %1").arg(list_text(queue.irq_cpus));
  return words;
}

MachineCard card_of(const InterfaceFacts& told) {
  MachineCard card;
  card.name = text_of(told.name);
  if (told.addresses)
    for (const auto& address : *told.addresses) card.addresses << QString::fromStdString(address);
  card.numa_node = index_of(told.numa_node);
  card.gbit_per_s = told.link_gbit_per_s;
  QStringList lines{card.addresses.isEmpty() ? card.name : QString("%1  %2").arg(card.name, card.addresses.join(", "))};
  QStringList facts;
  if (told.link_gbit_per_s) facts << MachineTexts::tr("%1 Gbit/s").arg(*told.link_gbit_per_s);
  if (told.mtu) facts << MachineTexts::tr("MTU %1").arg(*told.mtu);
  if (told.driver) facts << text_of(told.driver);
  if (!facts.isEmpty()) lines << facts.join(", ");
  for (const auto& queue : told.transmit_queues) {
    if (!queue.irq && !queue.sending_cpus) continue;
    card.irq_cpus.push_back(indexes_of(queue.irq_cpus));
    lines << queue_text(queue);
  }
  card.text = lines.join('\n');
  return card;
}

QString disk_text(const DiskFacts& disk) {
  QStringList words{text_of(disk.directory)};
  for (const auto* fact : {&disk.device, &disk.model, &disk.filesystem})
    if (*fact) words << text_of(*fact);
  if (disk.rotational.value_or(false)) words << MachineTexts::tr("rotating");
  return words.join(", ");
}

Machine machine_of(const MachineEntry& entry) {
  Machine machine;
  machine.server = entry.role == HostRole::server;
  machine.name = QString::fromStdString(entry.name);
  machine.known = entry.machine.has_value();
  if (!entry.machine) return machine;
  const auto& facts = *entry.machine;
  machine.host = text_of(facts.name);
  machine.cpu_model = text_of(facts.topology.cpu_model);
  for (const auto& node : facts.topology.numa_nodes) {
    const int number = index_of(node.numa_node).value_or(0);
    auto words = MachineTexts::tr("NUMA node %1").arg(number);
    if (node.memory_bytes)
      words += MachineTexts::tr(", %1 GiB").arg(static_cast<double>(*node.memory_bytes) / (1 << 30), 0, 'f', 0);
    machine.numa_nodes.emplace_back(number, words);
  }
  for (const auto& core : facts.topology.cores)
    machine.cores.push_back({index_of(core.numa_node), indexes_of(core.cpus)});
  for (const auto& card : facts.interfaces) machine.cards.push_back(card_of(card));
  for (const auto& disk : facts.disks) machine.disks.emplace_back(index_of(disk.numa_node), disk_text(disk));
  return machine;
}

QString card_with(const Machine& machine, const QString& address) {
  const auto found =
      std::ranges::find_if(machine.cards, [&](const MachineCard& card) { return card.addresses.contains(address); });
  return address.isEmpty() || found == machine.cards.end() ? QString() : found->name;
}

// Problems of this flow alone.
QString wrong_with(const Machine& machine, const MachineFlow& flow) {
  const auto* core = machine.core_of(flow.cpu);
  const auto card = std::ranges::find(machine.cards, flow.card, &MachineCard::name);
  if (core == nullptr || card == machine.cards.end()) return {};
  if (core->numa_node && card->numa_node && core->numa_node != card->numa_node)
    return MachineTexts::tr("on NUMA node %1, but %2 is on node %3: every packet crosses between the nodes")
        .arg(*core->numa_node)
        .arg(card->name)
        .arg(*card->numa_node);
  for (const auto& cpus : card->irq_cpus)
    if (cpus == std::vector{flow.cpu})
      return MachineTexts::tr("on the CPU that takes an interrupt of %1: they hold each other up").arg(card->name);
  return {};
}

}  // namespace

const MachineCore* Machine::core_of(int cpu) const {
  const auto found = std::ranges::find_if(
      cores, [cpu](const MachineCore& core) { return std::ranges::find(core.cpus, cpu) != core.cpus.end(); });
  return found == cores.end() ? nullptr : &*found;
}

void Machines::set(const MachinesReply& answer) {
  machines_.clear();
  paths_.clear();
  for (const auto& entry : answer.machines) machines_.push_back(machine_of(entry));
  for (const auto& path : answer.flows)
    paths_.push_back({static_cast<int>(path.flow), text_of(path.leaves_by), QString::fromStdString(path.arrives_at)});
}

void Machines::place(const FlowHistory& history) {
  for (auto& machine : machines_) {
    machine.flows.clear();
    for (const auto& flow : history.flows()) {
      const int cpu = machine.server ? flow.sender_cpu : flow.receiver_cpu;
      if (cpu < 0 || (!machine.server && (flow.node != machine.name || !flow.reported))) continue;
      const auto path = std::ranges::find(paths_, flow.flow, &Path::flow);
      const auto address = path == paths_.end() ? QString() : machine.server ? path->leaves_by : path->arrives_at;
      machine.flows.push_back({flow.flow, cpu, card_with(machine, address)});
    }
  }
}

std::vector<WrongPairing> wrong_pairings(const Machine& machine) {
  std::vector<WrongPairing> wrong;
  std::map<const MachineCore*, int> first_on;  // core -> flow
  std::map<const MachineCore*, int> count_on;
  for (const auto& flow : machine.flows) {
    const auto* core = machine.core_of(flow.cpu);
    first_on.emplace(core, flow.flow);
    ++count_on[core];
  }
  const bool idle = count_on.size() < machine.cores.size();
  for (const auto& flow : machine.flows) {
    if (const auto reason = wrong_with(machine, flow); !reason.isEmpty())
      wrong.push_back({flow.flow, flow.cpu, reason});
    const auto* core = machine.core_of(flow.cpu);
    if (core != nullptr && idle && first_on[core] != flow.flow)
      wrong.push_back({flow.flow, flow.cpu,
                       MachineTexts::tr("on one core with flow %1 while other cores have none").arg(first_on[core])});
  }
  return wrong;
}

}  // namespace lw
