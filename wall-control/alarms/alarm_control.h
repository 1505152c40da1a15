// The alarms of the window: raised by the saved rules, acknowledged and edited by the operator. Has no widget but the
// dialog of the rules.
#pragma once

#include "wall-control/alarms/alarms.h"

#include <QObject>

class QWidget;

namespace lw {

class Commands;

class AlarmControl : public QObject {
  Q_OBJECT

public:
  // The saved rules, or else those for a dedicated network.
  explicit AlarmControl(const FlowHistory& history, QObject* parent = nullptr);

  // With the newest samples of the history.
  void step();
  void acknowledge();
  // Asks in a dialog above `window`.
  void edit_rules(QWidget* window, Commands& commands);
  // As the operator wants them, which can be undone.
  void change_rules(const std::vector<AlarmRule>& rules, Commands& commands);
  // Also saves them for the next run.
  void set_rules(const std::vector<AlarmRule>& rules);
  void clear();
  [[nodiscard]] const Alarms& alarms() const { return alarms_; }
  // Raised and not acknowledged.
  [[nodiscard]] int fresh() const;
  // All that are raised, one to a line; empty if there is none.
  [[nodiscard]] QString words() const;

signals:
  void happened(const lw::Event& event);
  void changed();        // what is raised
  void rules_changed();  // by the operator

private:
  class Edit;

  const FlowHistory& history_;
  Alarms alarms_;
};

}  // namespace lw
