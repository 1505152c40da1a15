// The alarms above the wall: how many and which, as shape, words and colour; with controls to acknowledge them and to
// change the rules.
#pragma once

#include "wall-control/alarms/alarms.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace lw {

class AlarmBar : public QWidget {
  Q_OBJECT

public:
  // The saved rules, or else those for a dedicated network.
  explicit AlarmBar(const FlowHistory& history, QWidget* parent = nullptr);

  // With the newest samples of the history.
  void step();
  void acknowledge();
  void edit_rules();
  // Also saves them for the next run.
  void set_rules(const std::vector<AlarmRule>& rules);
  void clear();
  [[nodiscard]] const Alarms& alarms() const { return alarms_; }

signals:
  void happened(const lw::Event& event);

private:
  void show_alarms();

  const FlowHistory& history_;
  Alarms alarms_;
  QLabel* text_;
  QToolButton* acknowledge_;
};

}  // namespace lw
