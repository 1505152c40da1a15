#include "wall-control/network/worst_panel.h"

#include "wall-control/plots/distribution.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QTableView>

namespace lw {

WorstPanel::WorstPanel(const PlotSource& source, QWidget* parent)
    : QWidget(parent),
      source_(source),
      choice_(new QuantityChoice(this, {Scope::flow, Scope::tile, Scope::wall}, Quantity::jitter)) {
  connect(choice_, &QComboBox::currentIndexChanged, this, &WorstPanel::refresh);
  connect(&source.window, &TimeWindow::changed, this, &WorstPanel::refresh);
  connect(&source.focus, &Focus::changed, this, &WorstPanel::refresh);
  together_ = new QCheckBox(tr("all together"));
  together_->setToolTip(tr("One line for the samples of all flows or tiles, instead of one each for the worst"));
  connect(together_, &QCheckBox::toggled, this, &WorstPanel::refresh);
  distribution_ = new Distribution;
  make_table();
  auto* above = new QHBoxLayout;
  above->addWidget(choice_);
  above->addStretch(1);
  above->addWidget(together_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 4, 4, 0);
  layout->addLayout(above);
  layout->addWidget(distribution_, 3);
  layout->addWidget(rows_, 2);
}

void WorstPanel::make_table() {
  rows_ = new QTableView;
  rows_->setObjectName("worst");
  rows_->setModel(&worst_);
  rows_->setAccessibleName(tr("Figures of the time shown, worst first"));
  rows_->setToolTip(tr("Enter or a double click shows only that tile or flow; Backspace goes back up"));
  rows_->setAlternatingRowColors(true);
  rows_->setTabKeyNavigation(false);
  rows_->verticalHeader()->hide();
  rows_->verticalHeader()->setDefaultSectionSize(rows_->fontMetrics().height() + 6);
  rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
  rows_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  connect(rows_, &QTableView::activated, this, [this](const QModelIndex& index) { enter(index.row()); });
  auto* up = new QAction(tr("Up"), rows_);
  up->setShortcut(Qt::Key_Backspace);
  up->setShortcutContext(Qt::WidgetShortcut);
  connect(up, &QAction::triggered, &source_.focus, &Focus::up);
  rows_->addAction(up);
}

void WorstPanel::enter(int row) { source_.focus.show_line(choice_->chosen().scope, worst_.at(row).line.index); }

void WorstPanel::refresh() {
  if (!isVisible()) return;
  const auto quantity = choice_->chosen().quantity;
  const auto span = source_.window.span_of(source_.window.chosen());
  auto rows = summaries(source_.history, quantity, source_.focus.part(), span);
  distribution_->set(quantity, rows, span, together_->isChecked());
  worst_.set(quantity, std::move(rows));
  choice_->setToolTip(definition_of(choice_->chosen()));
}

void WorstPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace lw
