// The problems of the wall, the worst first, and the wall by state.
#pragma once

#include "wall-control/models/causes.h"
#include "wall-control/models/focus.h"
#include "wall-control/models/problems.h"
#include "wall-control/ui/panel.h"
#include "wall-control/ui/slow_refresh.h"

#include <vector>

class QVBoxLayout;

namespace lw {

class ProblemCard;
class TextLabel;
class WallSummary;

class ProblemsPanel : public Panel {
  Q_OBJECT

public:
  static constexpr std::size_t cards_max = 24;

  // All must outlive this.
  struct Models {
    const FlowHistory& history;
    const WallStatus& status;
    const Health& health;
    const Problems& problems;
    const Causes& causes;
    Focus& focus;
  };
  explicit ProblemsPanel(const Models& models, QWidget* parent = nullptr);

  void refresh() { shown_.ask(); }
  // Selects the problem after the selected one, or before it with -1; the last is followed by the first.
  void select_next(int step);
  // The worst tile of a problem, for the selection; its part where it has no tiles.
  [[nodiscard]] Part worst_of(const Problem& problem) const;

signals:
  void hosts_wanted(const QString& host);

protected:
  void showEvent(QShowEvent* event) override;

private:
  void show_problems();
  void show_summary();
  [[nodiscard]] bool is_selected(const Problem& problem) const;

  Models models_;
  std::vector<ProblemCard*> cards_;
  QVBoxLayout* list_;
  TextLabel* none_;
  TextLabel* others_;
  WallSummary* summary_;
  SlowRefresh shown_{[this] {
    if (isVisible()) show_problems();
  }};
};

}  // namespace lw
