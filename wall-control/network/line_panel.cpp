#include "wall-control/network/line_panel.h"

#include "wall-control/ui/figure_table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTabBar>

namespace lw {
namespace {

QLabel* context(const char* name) {
  auto* label = new QLabel;
  label->setObjectName(name);
  label->setForegroundRole(QPalette::PlaceholderText);
  return label;
}

}  // namespace

LinePanel::LinePanel(NetworkModels& models, QWidget* parent)
    : QWidget(parent), models_(models), lines_(models.source()) {
  sorted_.setSourceModel(&lines_);
  sorted_.setSortRole(LineTableModel::value_role);
  view_ = new FigureTable;
  view_->setObjectName("worst");
  view_->setAccessibleName(tr("Figures of the chosen time, worst first"));
  view_->setModel(&sorted_);
  view_->setSortingEnabled(true);
  view_->set_widths({64, 58, 78, -84, 64, 80, 62, 90, 70});
  view_->set_spare({LineTableModel::kernel_drops, LineTableModel::spark, LineTableModel::tile});
  view_->sortByColumn(LineTableModel::p99, Qt::DescendingOrder);
  connect(view_, &QTableView::activated, this, &LinePanel::open);
  models.add_up_key(*view_);

  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(8, 4, 8, 4);
  sentence_ = context("sentence");
  sentence_->setMinimumWidth(1);
  sentence_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  auto* keys = context("keys");
  keys->setText(tr("Enter opens, Ctrl+C copies rows"));
  foot->addWidget(sentence_, 1);
  foot->addWidget(keys);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(make_head());
  layout->addWidget(view_, 1);
  layout->addLayout(foot);
  connect(&models.window(), &TimeWindow::changed, this, [this] { changes_.ask(); });
  connect(&models.focus(), &Focus::changed, this, &LinePanel::refresh);
  connect(&models, &NetworkModels::choice_changed, this, [this] {
    const bool low = info(models_.quantity()).low_is_bad;
    view_->sortByColumn(LineTableModel::p99, low ? Qt::AscendingOrder : Qt::DescendingOrder);
    refresh();
  });
  connect(&models, &NetworkModels::wall_changed, this, &LinePanel::refresh);
  connect(&models, &NetworkModels::refreshed, this, [this] {
    if (models_.window().live() && rest_.over()) refresh();
  });
}

QWidget* LinePanel::make_head() {
  by_ = new QTabBar;
  by_->setObjectName("lines-by");
  by_->setAccessibleName(tr("Rows of the table"));
  by_->setDrawBase(false);
  by_->setExpanding(false);
  for (const auto& name : {tr("By flow"), tr("By tile"), tr("By node")}) by_->addTab(name);
  connect(by_, &QTabBar::currentChanged, this, [this](int tab) {
    lines_.set_by(static_cast<LinesBy>(tab));
    refresh();
  });
  time_ = context("table-time");
  auto* head = new QWidget;
  auto* layout = new QHBoxLayout(head);
  layout->setContentsMargins(4, 0, 8, 0);
  layout->addWidget(by_);
  layout->addStretch(1);
  layout->addWidget(time_);
  return head;
}

void LinePanel::open(const QModelIndex& index) {
  const auto row = static_cast<std::size_t>(sorted_.mapToSource(index).row());
  models_.focus().show(lines_.rows()[row].part);
}

void LinePanel::refresh() {
  if (!isVisible()) return;
  rest_.after([this] { show_lines(); });
}

void LinePanel::show_lines() {
  lines_.refresh(models_.quantity());
  sentence_->setText(lines_.sentence());
  sentence_->setToolTip(lines_.sentence());
  time_->setText(models_.chosen_time_words());
}

void LinePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace lw
