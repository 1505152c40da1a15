// The hardware of the wall's hosts, and where on them the flows run now: the answer of `machines`, and the CPUs
// from the newest `stats`. Finds bad pairings. Draws nothing.
#pragma once

#include "common/messages/machine.h"
#include "wall-control/models/flow_history.h"

#include <QString>

#include <optional>
#include <vector>

namespace lw {

struct MachineCore {
  std::optional<int> numa_node;
  std::vector<int> cpus;
};

struct MachineCard {
  QString name;
  QStringList addresses;
  std::optional<int> numa_node;
  std::optional<double> gbit_per_s;        // of its link
  std::vector<std::vector<int>> irq_cpus;  // of each queue
  QString text;                            // everything known about it
};

struct MachineFlow {
  int flow = 0;
  int cpu = 0;
  QString card;  // by which it leaves or arrives; empty if unknown
};

struct WrongPairing {
  int flow = 0;
  int cpu = 0;
  QString reason;
};

struct Machine {
  bool server = false;
  QString name;  // of the server, or the node
  QString host, cpu_model;
  bool known = false;                               // its facts have arrived
  std::vector<std::pair<int, QString>> numa_nodes;  // number and description
  std::vector<MachineCore> cores;
  std::vector<MachineCard> cards;
  std::vector<std::pair<std::optional<int>, QString>> disks;  // NUMA node and text
  std::vector<MachineFlow> flows;                             // that run there now

  [[nodiscard]] const MachineCore* core_of(int cpu) const;
};

class Machines {
public:
  void set(const MachinesReply& answer);
  void clear() { machines_.clear(); }
  void place(const FlowHistory& history);
  [[nodiscard]] const std::vector<Machine>& all() const { return machines_; }

private:
  struct Path {
    int flow = 0;
    QString leaves_by, arrives_at;  // addresses
  };
  std::vector<Machine> machines_;
  std::vector<Path> paths_;
};

// In the order of the flows.
std::vector<WrongPairing> wrong_pairings(const Machine& machine);

}  // namespace lw
