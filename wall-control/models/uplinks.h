// Over which of the server's network cards the nodes are reached, and how fast these are.
#pragma once

#include <QString>

#include <map>
#include <optional>

namespace lw {

class FlowHistory;
class Machines;

struct Uplinks {
  std::map<QString, QString> card_of_node;
  int cards = 0;                     // over which flows leave
  std::optional<double> gbit_per_s;  // of all of them; absent if one is unknown
};

Uplinks uplinks_of(const Machines& machines, const FlowHistory& history);

}  // namespace lw
