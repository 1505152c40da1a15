#include "wall-control/network/line_panel.h"

#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/figure_table.h"

#include <QAction>
#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTabBar>

#include <algorithm>

namespace lw {
namespace {

constexpr qint64 table_rest_ms = 1000;
constexpr qint64 table_rest_per_work = 40;

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
  auto* up = new QAction(tr("Up"), view_);
  up->setShortcut(Qt::Key_Backspace);
  up->setShortcutContext(Qt::WidgetShortcut);
  connect(up, &QAction::triggered, &models.focus(), &Focus::up);
  view_->addAction(up);

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
  connect(&models, &NetworkModels::refreshed, this, &LinePanel::refresh_in_turn);
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

void LinePanel::refresh_in_turn() {
  if (!models_.window().live() || (rest_.isValid() && rest_.elapsed() < rest_ms_)) return;
  refresh();
}

void LinePanel::refresh() {
  if (!isVisible()) return;
  QElapsedTimer work;
  work.start();
  lines_.refresh(models_.quantity());
  sentence_->setText(lines_.sentence());
  sentence_->setToolTip(lines_.sentence());
  const auto seconds = static_cast<double>(models_.window().chosen().count()) / TimeSeries::samples_per_second;
  const auto span = span_words(seconds);
  time_->setText(models_.window().marked() ? tr("in the marked %1").arg(span)
                 : models_.window().live() ? tr("in the last %1").arg(span)
                                           : tr("in the %1 shown").arg(span));
  rest_ms_ = std::max(table_rest_ms, table_rest_per_work * work.elapsed());
  rest_.start();
}

void LinePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace lw
