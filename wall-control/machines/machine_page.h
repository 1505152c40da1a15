// The hosts of the wall: NUMA nodes, cores, network cards with their queues and interrupts, disks, and the flows on the
// CPUs where they run now. Bad pairings are marked and explained.
#pragma once

#include "wall-control/link/control_link.h"
#include "wall-control/machines/placement_panel.h"
#include "wall-control/models/machines.h"
#include "wall-control/ui/slow_refresh.h"

#include <QHash>
#include <QTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace lw {

class MachinePage : public QWidget {
  Q_OBJECT

public:
  // Link and history must outlive this.
  MachinePage(ControlLink& link, const FlowHistory& history, const PlacementPanel::Offer& offer = {},
              QWidget* parent = nullptr);

  // Asks the server for the hosts' hardware.
  void ask();
  // Scrolls to a host: a node's name, or empty for the server.
  void show_host(const QString& name);
  // The server's answer.
  void set_machines(const MachinesReply& answer);
  void refresh();
  [[nodiscard]] const Machines& machines() const { return machines_; }

signals:
  void changed();  // the hardware that is known

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  // The parts that change during playback, for one host.
  struct Board {
    QHash<int, QLabel*> cpus;
    QLabel* wrong = nullptr;
    QWidget* box = nullptr;
  };
  void build();
  void go_to_host();
  void place_flows();
  QWidget* make_board(const Machine& machine, Board& board);
  QWidget* make_numa_node(const Machine& machine, std::optional<int> number, const QString& title, Board& board);
  static void show_flows(const Machine& machine, const Board& board);

  ControlLink& link_;
  const FlowHistory& history_;
  Machines machines_;
  std::vector<Board> boards_;
  QScrollArea* scroll_ = nullptr;
  QVBoxLayout* hosts_ = nullptr;
  PlacementPanel* placement_ = nullptr;
  std::optional<QString> wanted_host_;  // until the page is hidden
  QTimer ask_soon_;
  SlowRefresh flows_shown_{[this] { place_flows(); }};
};

}  // namespace lw
