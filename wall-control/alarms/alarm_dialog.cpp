#include "wall-control/alarms/alarm_dialog.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/save_file.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

namespace lw {
namespace {

enum RuleColumn { quantity, side, threshold, hysteresis, hold, severity, column_count };

constexpr double value_max = 1e9;
constexpr qint64 file_max = 1 << 20;

QDoubleSpinBox* number_box(double least, double greatest, double value, const QString& name) {
  auto* box = new QDoubleSpinBox;
  box->setDecimals(3);
  box->setRange(least, greatest);
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  box->setValue(value);
  box->setAccessibleName(name);
  return box;
}

QComboBox* choice_box(const QStringList& choices, int chosen, const QString& name) {
  auto* box = new QComboBox;
  box->addItems(choices);
  box->setCurrentIndex(chosen);
  box->setAccessibleName(name);
  return box;
}

}  // namespace

AlarmDialog::AlarmDialog(const std::vector<AlarmRule>& rules, QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Alarms"));
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setStyleSheet(QString("color: %1").arg(colors::warn.name()));
  make_table();
  auto* layout = new QVBoxLayout(this);
  auto* about =
      new QLabel(tr("An alarm is raised when a quantity of any flow or tile stays beyond its threshold for the "
                    "hold time. It ends when it has been better by the hysteresis for as long, and 2 s at "
                    "least."));
  about->setWordWrap(true);
  layout->addWidget(about);
  layout->addWidget(table_, 1);
  layout->addWidget(make_buttons());
  layout->addWidget(problem_);
  auto* box = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(box);
  set_rules(rules);
  resize(900, 420);
}

void AlarmDialog::make_table() {
  table_ = new QTableWidget(0, column_count);
  table_->setHorizontalHeaderLabels(
      {tr("Quantity"), tr("Is"), tr("Threshold"), tr("Hysteresis"), tr("Hold"), tr("Severity")});
  table_->setAccessibleName(tr("Rules"));
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(quantity, QHeaderView::Stretch);
}

QWidget* AlarmDialog::make_buttons() {
  auto* bar = new QWidget;
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  const auto add = [&](const QString& text, const QString& tip, const std::function<void()>& run) {
    auto* button = new QPushButton(text);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, run);
    layout->addWidget(button);
  };
  add(tr("Add"), tr("A new rule"), [this] {
    if (table_->rowCount() < static_cast<int>(alarm_rules_max)) add_row({});
  });
  add(tr("Remove"), tr("The rule of the current row"), [this] {
    if (table_->currentRow() >= 0) table_->removeRow(table_->currentRow());
  });
  layout->addStretch(1);
  add(tr("LAN"), tr("A network of one's own: nothing may be lost"), [this] { set_rules(lan_alarms()); });
  add(tr("WAN demonstration"), tr("A long path: what is made good in time is no alarm"),
      [this] { set_rules(wan_alarms()); });
  layout->addStretch(1);
  add(tr("Import…"), tr("Rules from a JSON file"), [this] {
    const auto path = QFileDialog::getOpenFileName(this, tr("Import alarms"), {}, tr("Alarms (*.json)"));
    if (!path.isEmpty()) problem_->setText(load(path));
  });
  add(tr("Export…"), tr("These rules to a JSON file"), [this] {
    const auto path = QFileDialog::getSaveFileName(this, tr("Export alarms"), "alarms.json", tr("Alarms (*.json)"));
    if (!path.isEmpty()) problem_->setText(save(path));
  });
  return bar;
}

void AlarmDialog::add_row(const AlarmRule& rule) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  QStringList titles;
  for (const auto& one : quantities()) titles << title_of(one);
  auto* what = choice_box(titles, static_cast<int>(rule.quantity), tr("Quantity"));
  table_->setCellWidget(row, quantity, what);
  table_->setCellWidget(row, side, choice_box({tr("above"), tr("below")}, rule.below ? 1 : 0, tr("Above or below")));
  table_->setCellWidget(row, threshold, number_box(-value_max, value_max, rule.threshold, tr("Threshold")));
  table_->setCellWidget(row, hysteresis, number_box(0, value_max, rule.hysteresis, tr("Hysteresis")));
  auto* time = number_box(0, alarm_hold_max_s, rule.hold_s, tr("Hold time"));
  time->setSuffix(tr(" s"));
  table_->setCellWidget(row, hold, time);
  table_->setCellWidget(row, severity, choice_box({tr("warning"), tr("error")}, rule.error ? 1 : 0, tr("Severity")));
  connect(what, &QComboBox::currentIndexChanged, this, [this, what] {
    for (int i = 0; i < table_->rowCount(); ++i)
      if (table_->cellWidget(i, quantity) == what) show_units(i);
  });
  show_units(row);
}

void AlarmDialog::show_units(int row) {
  const auto& chosen = info(rule_of(row).quantity);
  const auto unit = ' ' + QString(chosen.unit).replace("us", QString::fromUtf8("\u00b5s"));
  for (const int column : {threshold, hysteresis})
    static_cast<QDoubleSpinBox*>(table_->cellWidget(row, column))->setSuffix(unit);
  table_->cellWidget(row, quantity)->setToolTip(definition_of(chosen));
}

AlarmRule AlarmDialog::rule_of(int row) const {
  const auto choice = [&](int column) {
    return static_cast<QComboBox*>(table_->cellWidget(row, column))->currentIndex();
  };
  const auto number = [&](int column) {
    return static_cast<QDoubleSpinBox*>(table_->cellWidget(row, column))->value();
  };
  return {static_cast<Quantity>(choice(quantity)),
          choice(side) == 1,
          number(threshold),
          number(hysteresis),
          number(hold),
          choice(severity) == 1};
}

std::vector<AlarmRule> AlarmDialog::rules() const {
  std::vector<AlarmRule> rules;
  rules.reserve(static_cast<std::size_t>(table_->rowCount()));
  for (int row = 0; row < table_->rowCount(); ++row) rules.push_back(rule_of(row));
  return rules;
}

void AlarmDialog::set_rules(const std::vector<AlarmRule>& rules) {
  table_->setRowCount(0);
  for (const auto& rule : rules) add_row(rule);
  problem_->clear();
}

QString AlarmDialog::load(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return tr("cannot read %1: %2").arg(path, file.errorString());
  const auto read = alarm_rules_from(file.read(file_max));
  if (!read) return QString("%1: %2").arg(path, QString::fromStdString(read.error().text()));
  set_rules(*read);
  return {};
}

QString AlarmDialog::save(const QString& path) const { return save_file(path, to_json(rules())); }

}  // namespace lw
