#include "wall-control/app/network_panel.h"

#include "wall-control/app/export.h"
#include "wall-control/app/heading.h"
#include "wall-control/app/palette.h"
#include "wall-control/plots/heat_map.h"
#include "wall-control/plots/strip_chart.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QListWidget>
#include <QTabWidget>
#include <QTableView>

namespace lw {

NetworkPanel::NetworkPanel(const FlowHistory& history, const QList<QWidget*>& tools, QWidget* parent)
    : QWidget(parent), history_(history) {
  time_shown_ = new QComboBox;
  time_shown_->setAccessibleName(tr("Time shown"));
  for (const int seconds : {10, 30, 60, 300, 600, 1800, 3600})
    time_shown_->addItem(seconds < 60     ? tr("%1 s").arg(seconds)
                         : seconds < 3600 ? tr("%1 min").arg(seconds / 60)
                                          : tr("%1 h").arg(seconds / 3600),
                         seconds);
  time_shown_->setCurrentIndex(2);
  connect(time_shown_, &QComboBox::currentIndexChanged, this, [this] {
    for (auto* chart : charts_) chart->set_seconds(seconds());
    heat_map_->set_seconds(seconds());
  });
  auto* above = new QHBoxLayout;
  above->addWidget(heading(tr("Network")));
  above->addStretch(1);
  above->addWidget(time_shown_);
  for (auto* tool : tools) above->addWidget(tool);

  heat_map_ = new HeatMap(history_);
  tabs_ = new QTabWidget;
  tabs_->setObjectName("network");
  tabs_->addTab(make_plots(), tr("Plots"));
  tabs_->addTab(heat_map_, tr("Heat map"));
  tabs_->addTab(make_table(), tr("Flows"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 0, 0, 0);
  layout->addLayout(above);
  layout->addWidget(tabs_, 1);
  setMinimumWidth(360);
}

QWidget* NetworkPanel::make_plots() {
  charts_ = {new StripChart(history_, Quantity::throughput), new StripChart(history_, Quantity::jitter),
             new StripChart(history_, Quantity::loss)};
  auto* plots = new QWidget;
  auto* layout = new QVBoxLayout(plots);
  layout->setContentsMargins(0, 6, 0, 0);
  for (auto* chart : charts_) layout->addWidget(chart, 1);
  legend_ = new QListWidget;
  legend_->setFlow(QListView::LeftToRight);
  legend_->setWrapping(true);
  legend_->setResizeMode(QListView::Adjust);
  legend_->setMaximumHeight(56);
  legend_->setFrameShape(QFrame::NoFrame);
  legend_->setAccessibleName(tr("Flows shown"));
  connect(legend_, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
    for (auto* chart : charts_) chart->set_hidden(item->data(Qt::UserRole).toInt(), item->checkState() != Qt::Checked);
  });
  layout->addWidget(legend_);
  return plots;
}

QWidget* NetworkPanel::make_table() {
  auto* table = new QTableView;
  sorted_flows_.setSourceModel(&flow_table_);
  sorted_flows_.setSortRole(FlowTableModel::sort_role);
  sorted_flows_.setDynamicSortFilter(true);
  table->setModel(&sorted_flows_);
  table->setSortingEnabled(true);
  table->sortByColumn(FlowTableModel::lost, Qt::DescendingOrder);
  table->setAlternatingRowColors(true);
  table->verticalHeader()->hide();
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setAccessibleName(tr("Flows"));
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  return table;
}

int NetworkPanel::seconds() const { return time_shown_->currentData().toInt(); }

void NetworkPanel::set_wall() {
  flow_table_.refresh();
  const QSignalBlocker quiet(legend_);
  legend_->clear();
  for (const auto& flow : history_.flows()) {
    auto* item = new QListWidgetItem(tr("flow %1").arg(flow.flow), legend_);
    item->setData(Qt::UserRole, flow.flow);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Checked);
    item->setForeground(colors::series_pen(flow.flow).color());
    item->setToolTip(tr("Tile %1,%2 on node %3").arg(flow.column).arg(flow.row).arg(flow.node));
  }
}

void NetworkPanel::refresh_plots() {
  for (auto* chart : charts_) chart->refresh();
  heat_map_->refresh();
}

QString NetworkPanel::save(const QString& path) {
  auto* view = tabs_->currentWidget();
  if (path.endsWith(".png", Qt::CaseInsensitive)) return save_picture(path, *view);
  std::vector<Quantity> shown;
  if (view == heat_map_) shown = {heat_map_->quantity()};
  for (auto* chart : view->findChildren<StripChart*>()) shown.push_back(chart->quantity());
  if (shown.empty()) return save_table(path, sorted_flows_, FlowTableModel::sort_role);
  return save_samples(path, samples_to_export(history_, shown, seconds()));
}

}  // namespace lw
