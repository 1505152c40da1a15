#include "wall-control/alarms/alarm_bar.h"

#include "wall-control/alarms/alarm_dialog.h"
#include "wall-control/plots/columns.h"
#include "wall-control/ui/palette.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QLabel>
#include <QSettings>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr const char* kept_key = "alarms";
constexpr std::size_t told_max = 12;  // in the tool tip

QSettings kept() { return QSettings("lambdawall", "wall-control"); }

QString words_of(const Alarm& alarm) {
  auto words = QString("%1: %2").arg(alarm.line.name, text_of(alarm.rule));
  if (!alarm.value) return words;
  const auto unit = axis_unit(info(alarm.rule.quantity), std::abs(*alarm.value));
  return words + QString(" (%1 %2)").arg(short_number(*alarm.value / unit.size), unit.name);
}

}  // namespace

AlarmBar::AlarmBar(const FlowHistory& history, QWidget* parent)
    : QWidget(parent), history_(history), text_(new QLabel), acknowledge_(new QToolButton) {
  const auto rules = alarm_rules_from(kept().value(kept_key).toByteArray());
  alarms_.set_rules(rules ? *rules : lan_alarms());
  text_->setObjectName("alarms");
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  acknowledge_->setText(tr("Acknowledge"));
  acknowledge_->setToolTip(tr("I have seen these alarms (A)"));
  connect(acknowledge_, &QToolButton::clicked, this, &AlarmBar::acknowledge);
  auto* rules_button = new QToolButton;
  rules_button->setText(QString::fromUtf8("Alarms\u2026"));
  rules_button->setToolTip(tr("When an alarm is raised (Ctrl+Shift+A)"));
  connect(rules_button, &QToolButton::clicked, this, &AlarmBar::edit_rules);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(text_, 1);
  layout->addWidget(acknowledge_);
  layout->addWidget(rules_button);
  show_alarms();
}

void AlarmBar::step() {
  const auto events = alarms_.step(history_);
  for (const auto& event : events) emit happened(event);
  if (!events.empty() || acknowledge_->isVisible()) show_alarms();
}

void AlarmBar::acknowledge() {
  const auto& times = history_.times();
  for (const auto& event : alarms_.acknowledge(times.time_of(times.count() - 1).value_or(0))) emit happened(event);
  show_alarms();
}

void AlarmBar::edit_rules() {
  AlarmDialog dialog(alarms_.rules(), this);
  if (dialog.exec() == QDialog::Accepted) set_rules(dialog.rules());
}

void AlarmBar::set_rules(const std::vector<AlarmRule>& rules) {
  alarms_.set_rules(rules);
  kept().setValue(kept_key, to_json(rules));
  show_alarms();
}

void AlarmBar::clear() {
  alarms_.clear();
  show_alarms();
}

void AlarmBar::show_alarms() {
  const auto raised = alarms_.raised();
  const auto fresh = std::ranges::count(raised, AlarmState::raised, &Alarm::state);
  acknowledge_->setVisible(fresh > 0);
  QStringList words;
  for (const auto& alarm : raised) {
    if (words.size() == static_cast<qsizetype>(told_max)) break;
    words << tr("%1, since %2%3")
                 .arg(words_of(alarm), QDateTime::fromMSecsSinceEpoch(alarm.since_ms).toString("HH:mm:ss"),
                      alarm.state == AlarmState::acknowledged ? tr(", acknowledged") : QString());
  }
  text_->setToolTip(words.join('\n'));
  QColor color = colors::text3;
  QString text = alarms_.rules().empty() ? tr("No alarm is set") : QString::fromUtf8("\u2713 ") + tr("No alarms");
  if (!raised.empty()) {
    const bool error = raised.front().rule.error;
    const auto mark = fresh == 0 ? QString::fromUtf8("\u25b3") : mark_of(error ? Severity::error : Severity::warning);
    const auto all = raised.size() == 1 ? tr("Alarm") : tr("%1 alarms").arg(raised.size());
    text = QString("%1 %2: %3").arg(mark, fresh > 0 ? all : tr("%1, acknowledged").arg(all), words_of(raised.front()));
    color = fresh == 0 ? colors::text : error ? colors::crit.lighter(130) : colors::warn;
  }
  text_->setText(text);
  text_->setStyleSheet(QString("color: %1").arg(color.name()));
}

}  // namespace lw
