#include "wall-control/models/machines.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>
#include <map>

namespace lw {
namespace {

struct MachineTexts {
  Q_DECLARE_TR_FUNCTIONS(Machines)
};

std::optional<int> index_of(const QJsonValue& value) {
  return value.isDouble() ? std::optional(value.toInt()) : std::nullopt;
}

std::vector<int> indexes_of(const QJsonValue& value) {
  std::vector<int> indexes;
  for (const auto& entry : value.toArray()) indexes.push_back(entry.toInt(-1));
  return indexes;
}

QString list_text(const std::vector<int>& numbers) {
  QStringList words;
  for (const int number : numbers) words << QString::number(number);
  return words.join(',');
}

MachineCard card_of(const QJsonObject& json) {
  MachineCard card;
  card.name = json["name"].toString();
  for (const auto& address : json["addresses"].toArray()) card.addresses << address.toString();
  card.numa_node = index_of(json["numa_node"]);
  QStringList lines{card.addresses.isEmpty() ? card.name : QString("%1  %2").arg(card.name, card.addresses.join(", "))};
  QStringList facts;
  if (json.contains("link_gbit_per_s")) facts << MachineTexts::tr("%1 Gbit/s").arg(json["link_gbit_per_s"].toDouble());
  if (json.contains("mtu")) facts << MachineTexts::tr("MTU %1").arg(json["mtu"].toInt());
  if (json.contains("driver")) facts << json["driver"].toString();
  if (!facts.isEmpty()) lines << facts.join(", ");
  for (const auto& entry : json["transmit_queues"].toArray()) {
    const auto queue = entry.toObject();
    if (!queue.contains("irq") && !queue.contains("sending_cpus")) continue;
    auto words = MachineTexts::tr("queue %1").arg(queue["queue"].toInt());
    if (queue.contains("sending_cpus"))
      words += MachineTexts::tr(" of CPU %1").arg(list_text(indexes_of(queue["sending_cpus"])));
    if (queue.contains("irq")) words += MachineTexts::tr(", interrupt %1").arg(queue["irq"].toInt());
    if (queue.contains("irq_cpus"))
      words += MachineTexts::tr(" on CPU %1").arg(list_text(indexes_of(queue["irq_cpus"])));
    card.irq_cpus.push_back(indexes_of(queue["irq_cpus"]));
    lines << words;
  }
  card.text = lines.join('\n');
  return card;
}

QString disk_text(const QJsonObject& json) {
  QStringList words{json["directory"].toString()};
  for (const char* key : {"device", "model", "filesystem"})
    if (json.contains(key)) words << json[key].toString();
  if (json["rotational"].toBool()) words << MachineTexts::tr("rotating");
  return words.join(", ");
}

Machine machine_of(const QJsonObject& entry) {
  Machine machine;
  machine.server = entry["role"].toString() == "server";
  machine.name = entry["name"].toString();
  machine.known = entry["machine"].isObject();
  const auto json = entry["machine"].toObject();
  const auto topology = json["topology"].toObject();
  machine.host = json["name"].toString();
  machine.cpu_model = topology["cpu_model"].toString();
  for (const auto& item : topology["numa_nodes"].toArray()) {
    const auto node = item.toObject();
    auto words = MachineTexts::tr("NUMA node %1").arg(node["numa_node"].toInt());
    if (node.contains("memory_bytes"))
      words += MachineTexts::tr(", %1 GiB").arg(node["memory_bytes"].toDouble() / (1 << 30), 0, 'f', 0);
    machine.numa_nodes.emplace_back(node["numa_node"].toInt(), words);
  }
  for (const auto& item : topology["cores"].toArray())
    machine.cores.push_back({index_of(item.toObject()["numa_node"]), indexes_of(item.toObject()["cpus"])});
  for (const auto& item : json["interfaces"].toArray()) machine.cards.push_back(card_of(item.toObject()));
  for (const auto& item : json["disks"].toArray())
    machine.disks.emplace_back(index_of(item.toObject()["numa_node"]), disk_text(item.toObject()));
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

void Machines::set(const QJsonObject& answer) {
  machines_.clear();
  paths_.clear();
  for (const auto& entry : answer["machines"].toArray()) machines_.push_back(machine_of(entry.toObject()));
  for (const auto& entry : answer["flows"].toArray()) {
    const auto json = entry.toObject();
    paths_.push_back({json["flow"].toInt(), json["leaves_by"].toString(), json["arrives_at"].toString()});
  }
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
