// Tries a flow on another CPU: moves its thread during playback, shows its figures before and after, and
// keeps the move or reverts it. The wall file is not changed; the line for it is shown.
#pragma once

#include "wall-control/models/machines.h"
#include "wall-control/models/placement_trial.h"

#include <QWidget>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lw {

class ControlLink;

class PlacementPanel : public QWidget {
  Q_OBJECT

public:
  // Gives a control the menu that copies its request.
  using Offer = std::function<void(QWidget*, const std::function<void()>&)>;
  // The link must outlive this.
  PlacementPanel(ControlLink& link, const Offer& offer, QWidget* parent = nullptr);

  // Where flows run now.
  void show_machines(const std::vector<Machine>& machines);

private:
  void make_choices();
  void make_buttons(const Offer& offer);
  void show_flows();
  void enable();
  void take(const Stats& stats);
  void show_trial();
  void show_line();
  void ask(int flow, int cpu);
  [[nodiscard]] const Machine* chosen_machine() const;
  [[nodiscard]] std::optional<TrialMove> chosen_move() const;
  [[nodiscard]] QList<int> flows_in_order(const Machine& machine) const;

  ControlLink& link_;
  WallInfo wall_;
  std::vector<Machine> machines_;
  PlacementTrial trial_;
  QString problem_;  // of the last move
  QComboBox* host_ = nullptr;
  QComboBox* flow_ = nullptr;
  QComboBox* cpu_ = nullptr;
  QPushButton* try_ = nullptr;
  QPushButton* keep_ = nullptr;
  QPushButton* take_back_ = nullptr;
  QLabel* stage_ = nullptr;
  QLabel* figures_ = nullptr;
  QLineEdit* line_ = nullptr;
};

}  // namespace lw
