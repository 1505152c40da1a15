#include "wall-control/alarms/alarm_control.h"

#include "wall-control/alarms/alarm_dialog.h"
#include "wall-control/plots/columns.h"
#include "wall-control/ui/commands.h"

#include <QDateTime>
#include <QSettings>
#include <QUndoCommand>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw {
namespace {

constexpr const char* kept_key = "alarms";
constexpr std::size_t words_max = 12;  // alarms in words()

QSettings kept() { return QSettings("lambdawall", "wall-control"); }

QString words_of(const Alarm& alarm) {
  auto words = QString("%1: %2").arg(alarm.line.name, text_of(alarm.rule));
  if (!alarm.value) return words;
  const auto unit = axis_unit(info(alarm.rule.quantity), std::abs(*alarm.value));
  return words + QString(" (%1 %2)").arg(short_number(*alarm.value / unit.size), unit.name);
}

}  // namespace

// The rules before and after.
class AlarmControl::Edit : public QUndoCommand {
public:
  using Rules = std::vector<AlarmRule>;
  Edit(AlarmControl& control, Rules before, Rules after)
      : QUndoCommand(AlarmControl::tr("Changed the alarm rules")),
        control_(control),
        before_(std::move(before)),
        after_(std::move(after)) {}
  void undo() override { control_.set_rules(before_); }
  void redo() override { control_.set_rules(after_); }

private:
  AlarmControl& control_;
  Rules before_, after_;
};

AlarmControl::AlarmControl(const FlowHistory& history, QObject* parent) : QObject(parent), history_(history) {
  const auto rules = alarm_rules_from(kept().value(kept_key).toByteArray());
  alarms_.set_rules(rules ? *rules : lan_alarms());
}

void AlarmControl::step() {
  const auto events = alarms_.step(history_);
  for (const auto& event : events) emit happened(event);
  if (!events.empty()) emit changed();
}

void AlarmControl::acknowledge() {
  const auto& times = history_.times();
  for (const auto& event : alarms_.acknowledge(times.time_of(times.count() - 1).value_or(0))) emit happened(event);
  emit changed();
}

void AlarmControl::edit_rules(QWidget* window, Commands& commands) {
  AlarmDialog dialog(alarms_.rules(), window);
  if (dialog.exec() == QDialog::Accepted) change_rules(dialog.rules(), commands);
}

// Rules that stay as they are keep the alarms that they have raised.
void AlarmControl::change_rules(const std::vector<AlarmRule>& rules, Commands& commands) {
  if (rules != alarms_.rules()) commands.remember(new Edit(*this, alarms_.rules(), rules));
}

void AlarmControl::set_rules(const std::vector<AlarmRule>& rules) {
  alarms_.set_rules(rules);
  kept().setValue(kept_key, to_json(rules));
  emit rules_changed();
  emit changed();
}

void AlarmControl::clear() {
  alarms_.clear();
  emit changed();
}

int AlarmControl::fresh() const {
  return static_cast<int>(std::ranges::count(alarms_.raised(), AlarmState::raised, &Alarm::state));
}

QString AlarmControl::words() const {
  QStringList words;
  const auto raised = alarms_.raised();
  for (std::size_t i = 0; i < std::min(raised.size(), words_max); ++i) {
    const auto& alarm = raised[i];
    words << tr("%1, since %2%3")
                 .arg(words_of(alarm), QDateTime::fromMSecsSinceEpoch(alarm.since_ms).toString("HH:mm:ss"),
                      alarm.state == AlarmState::acknowledged ? tr(", acknowledged") : QString());
  }
  if (raised.size() > words_max) words << tr("%1 more").arg(raised.size() - words_max);
  return words.join('\n');
}

}  // namespace lw
