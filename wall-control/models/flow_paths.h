// The way of a flow, from the CPU of the server that sends it to the receive buffer of the node, with the figures
// measured on each part of it: losses and times over a chosen time, hardware and load as of now. Missing figures are
// named. Draws nothing.
#pragma once

#include "wall-control/models/causes.h"
#include "wall-control/models/flow_loss.h"
#include "wall-control/models/machines.h"
#include "wall-control/models/stage_times.h"
#include "wall-control/models/wall_status.h"

#include <QCoreApplication>
#include <QString>

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace lw {

// In the order in which packets pass them.
enum class Hop : unsigned char { server, uplink, path, downlink, core, buffer };
inline constexpr std::size_t hop_count = 6;

struct HopFacts {
  State state = State::note;  // note: nothing known that tells
  QString name;               // "gpu1, CPU 3"; empty: not known
  std::vector<Evidence> evidence;
};

struct FlowPath {
  int flow = 0;
  Part part;
  QString node;
  FlowLoss loss;
  std::array<HopFacts, hop_count> hops;

  [[nodiscard]] const HopFacts& at(Hop hop) const { return hops[static_cast<std::size_t>(hop)]; }
};

class FlowPaths {
  Q_DECLARE_TR_FUNCTIONS(FlowPaths)

public:
  // All must outlive this.
  FlowPaths(const FlowHistory& history, const WallStatus& status, const StageTimes& stages)
      : history_(history), status_(status), stages_(stages) {}

  // The hosts' hardware, once it is known.
  void set_machines(Machines machines) { machines_ = std::move(machines); }
  // How long a frame of what plays is shown.
  void set_frame_interval(double us) { frame_us_ = us; }

  // Where the flows run and what they share, before paths are asked for.
  void refresh();
  // `place`: in the history's flows.
  [[nodiscard]] FlowPath of(std::size_t place, const SampleSpan& span) const;
  // Of the flows of a part, those that lost most, then in their order; at most so many.
  [[nodiscard]] std::vector<std::size_t> worst(const Part& part, const SampleSpan& span, std::size_t most) const;

  static QString name_of(Hop hop);

private:
  struct Card {
    const Machine* machine = nullptr;
    const MachineCard* card = nullptr;
    std::optional<int> cpu;
  };
  struct Ends {
    Card server, node;
  };
  [[nodiscard]] HopFacts server_of(const FlowRow& flow) const;
  [[nodiscard]] HopFacts card_of(const Card& end) const;
  [[nodiscard]] HopFacts path_of(const FlowRow& flow, const FlowLoss& loss, const SampleSpan& span) const;
  [[nodiscard]] HopFacts core_of(const FlowRow& flow) const;
  [[nodiscard]] static HopFacts buffer_of(const FlowRow& flow, const FlowLoss& loss);
  [[nodiscard]] const Ends& ends_of(int flow) const;

  const FlowHistory& history_;
  const WallStatus& status_;
  const StageTimes& stages_;
  Machines machines_;
  double frame_us_ = 1e6;
  std::map<int, Ends> ends_;                          // by flow
  std::map<const MachineCard*, double> carried_;      // Gbit/s, of the flows of this wall
  std::map<std::pair<QString, int>, QString> wrong_;  // a node's flow: why its CPU is a bad choice
};

}  // namespace lw
