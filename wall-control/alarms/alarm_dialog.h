// The dialog for the rules of alarms: one row each, presets, import and export.
#pragma once

#include "wall-control/alarms/alarm_rule.h"

#include <QDialog>

class QLabel;
class QTableWidget;

namespace lw {

class AlarmDialog : public QDialog {
  Q_OBJECT

public:
  explicit AlarmDialog(const std::vector<AlarmRule>& rules, QWidget* parent = nullptr);

  [[nodiscard]] std::vector<AlarmRule> rules() const;
  void set_rules(const std::vector<AlarmRule>& rules);
  // Returns what went wrong, or an empty text.
  QString load(const QString& path);
  [[nodiscard]] QString save(const QString& path) const;

private:
  void make_table();
  QWidget* make_buttons();
  void add_row(const AlarmRule& rule);
  [[nodiscard]] AlarmRule rule_of(int row) const;
  void show_units(int row);

  QTableWidget* table_ = nullptr;
  QLabel* problem_ = nullptr;
};

}  // namespace lw
