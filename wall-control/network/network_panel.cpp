#include "wall-control/network/network_panel.h"

#include "wall-control/network/worst_panel.h"
#include "wall-control/plots/export.h"
#include "wall-control/plots/heat_map.h"
#include "wall-control/plots/strip_chart.h"
#include "wall-control/ui/heading.h"
#include "wall-control/ui/palette.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDateTime>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QTabWidget>
#include <QTableView>

namespace lw {

NetworkPanel::NetworkPanel(const FlowHistory& history, const QList<QWidget*>& tools, QWidget* parent)
    : QWidget(parent), history_(history) {
  heat_map_ = new HeatMap({history_, window_, focus_});
  worst_ = new WorstPanel({history_, window_, focus_});
  auto* choices = make_choices(tools);
  tabs_ = new QTabWidget;
  tabs_->setObjectName("network");
  tabs_->addTab(make_plots(), tr("Plots"));
  tabs_->addTab(heat_map_, tr("Heat map"));
  tabs_->addTab(make_table(), tr("Flows"));
  tabs_->addTab(worst_, tr("Distribution"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(4, 0, 0, 0);
  layout->addWidget(choices);
  layout->addWidget(tabs_, 1);
  setMinimumWidth(360);
  connect(&window_, &TimeWindow::changed, this, &NetworkPanel::show_time);
  connect(&focus_, &Focus::changed, this, &NetworkPanel::show_part);
  list_parts();
  show_time();
}

QWidget* NetworkPanel::make_choices(const QList<QWidget*>& tools) {
  time_shown_ = new QComboBox;
  time_shown_->setAccessibleName(tr("Time shown"));
  for (const int seconds : {10, 30, 60, 300, 600, 1800, 3600})
    time_shown_->addItem(seconds < 60     ? tr("%1 s").arg(seconds)
                         : seconds < 3600 ? tr("%1 min").arg(seconds / 60)
                                          : tr("%1 h").arg(seconds / 3600),
                         seconds);
  time_shown_->setCurrentIndex(2);
  connect(time_shown_, &QComboBox::activated, this,
          [this] { window_.set_seconds(time_shown_->currentData().toInt()); });
  part_shown_ = new QComboBox;
  part_shown_->setObjectName("part");
  part_shown_->setAccessibleName(tr("Part of the wall shown"));
  part_shown_->setToolTip(tr("The whole wall, a tile, or a flow (Backspace in a plot: one level up)"));
  connect(part_shown_, &QComboBox::activated, this, [this](int index) {
    const auto place = part_shown_->itemData(index).toList();
    Part part;
    if (place.size() >= 2) part = {place[0].toInt(), place[1].toInt(), {}};
    if (place.size() == 3) part.flow = place[2].toInt();
    focus_.show(part);
  });
  time_text_ = new QLabel;
  time_text_->setObjectName("time-shown");
  time_text_->setForegroundRole(QPalette::PlaceholderText);
  time_text_->setToolTip(
      tr("In a plot: + and - or the wheel zoom, dragging or Shift and an arrow marks a range, Ctrl and an arrow moves, "
         "Enter fills the plots with the marked range, Escape goes back."));
  time_text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto* bar = new QWidget;
  auto* layout = new QGridLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* above = new QHBoxLayout;
  above->addWidget(heading(tr("Network")));
  above->addStretch(1);
  above->addWidget(time_shown_);
  for (auto* tool : tools) above->addWidget(tool);
  layout->addLayout(above, 0, 0, 1, 2);
  layout->addWidget(part_shown_, 1, 0);
  layout->addWidget(time_text_, 1, 1);
  layout->setColumnStretch(1, 1);
  return bar;
}

QWidget* NetworkPanel::make_plots() {
  const PlotSource source{history_, window_, focus_};
  charts_ = {new StripChart(source, Quantity::throughput), new StripChart(source, Quantity::jitter),
             new StripChart(source, Quantity::loss)};
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
  auto* table = table_ = new QTableView;
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
  table->horizontalHeader()->setResizeContentsPrecision(0);  // of the visible rows
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  return table;
}

void NetworkPanel::list_parts() {
  part_shown_->clear();
  part_shown_->addItem(tr("Whole wall"), QVariantList{});
  for (const auto& tile : history_.tiles()) {
    part_shown_->addItem(tr("Tile %1,%2").arg(tile.column).arg(tile.row), QVariantList{tile.column, tile.row});
    for (const auto& flow : history_.flows())
      if (flow.column == tile.column && flow.row == tile.row)
        part_shown_->addItem(tr("Tile %1,%2, flow %3").arg(tile.column).arg(tile.row).arg(flow.flow),
                             QVariantList{tile.column, tile.row, flow.flow});
  }
  show_part();
}

void NetworkPanel::show_part() {
  const auto& part = focus_.part();
  QVariantList place;
  if (part.column && part.row) place = {*part.column, *part.row};
  if (part.flow) place << *part.flow;
  for (int i = 0; i < part_shown_->count(); ++i)
    if (part_shown_->itemData(i).toList() == place) part_shown_->setCurrentIndex(i);
}

void NetworkPanel::show_time() {
  const auto clock = [this](qint64 sample) {
    const auto time = history_.times().time_of(sample);
    return time ? QDateTime::fromMSecsSinceEpoch(*time).toString("HH:mm:ss.zzz").chopped(2) : QString("-");
  };
  const auto from_to = [&](const TimeWindow::Range& range) {
    return tr("%1 to %2").arg(clock(range.first), clock(range.last));
  };
  QString text =
      window_.live() ? tr("the last %1 s, live").arg(window_.seconds()) : tr("%1, held").arg(from_to(window_.shown()));
  if (const auto& marked = window_.marked())
    text = tr("%1 marked, %2 s")
               .arg(from_to(*marked))
               .arg(static_cast<double>(marked->count()) / TimeSeries::samples_per_second);
  else if (window_.moment())
    text = tr("held at %1").arg(clock(*window_.moment()));
  time_text_->setText(text);
  time_shown_->setCurrentIndex(time_shown_->findData(window_.seconds()));  // none is selected after zooming
}

std::optional<std::pair<qint64, qint64>> NetworkPanel::marked_times() const {
  const auto& marked = window_.marked();
  if (!marked) return std::nullopt;
  const auto first = history_.times().time_of(marked->first);
  const auto last = history_.times().time_of(marked->last);
  if (!first || !last) return std::nullopt;
  return std::pair(*first - SampleTimes::sample_ms, *last);
}

void NetworkPanel::point_to(qint64 time_ms) {
  if (history_.times().count() > 0) window_.point_to(history_.times().sample_at(time_ms));
}

void NetworkPanel::forget() {
  while (!window_.live() || window_.marked() || window_.moment()) window_.back();
  set_wall();
}

void NetworkPanel::set_wall() {
  flow_table_.refresh();
  focus_.show({});
  list_parts();
  const QSignalBlocker quiet(legend_);
  legend_->clear();
  for (const auto& flow : history_.flows()) {
    auto* item = new QListWidgetItem(tr("flow %1").arg(flow.flow), legend_);
    item->setData(Qt::UserRole, flow.flow);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Checked);
    item->setToolTip(tr("Tile %1,%2 on node %3").arg(flow.column).arg(flow.row).arg(flow.node));
  }
  color_legend();
}

void NetworkPanel::color_legend() {
  const QSignalBlocker quiet(legend_);
  for (int i = 0; i < legend_->count(); ++i) {
    auto* item = legend_->item(i);
    item->setForeground(colors::series_pen(item->data(Qt::UserRole).toInt()).color());
  }
}

void NetworkPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && legend_ != nullptr) color_legend();
  QWidget::changeEvent(event);
}

// Sorting the flows and measuring their columns costs as much as all plots, and nobody reads figures ten times a
// second.
void NetworkPanel::refresh_table() {
  constexpr int samples = TimeSeries::samples_per_second / 2;
  if (!table_->isVisible() || ++table_left_out_ < samples) return;
  table_left_out_ = 0;
  flow_table_.refresh();
}

void NetworkPanel::refresh_plots() {
  if (!window_.live()) return;  // held figures do not change
  constexpr int drawn_at_once_s = 600;
  if (window_.seconds() > drawn_at_once_s && ++left_out_ < TimeSeries::samples_per_second) return;
  for (auto* chart : charts_) chart->refresh();
  heat_map_->refresh();
  // Sorting all samples costs more than drawing them.
  if (++left_out_ < TimeSeries::samples_per_second) return;
  left_out_ = 0;
  worst_->refresh();
}

QString NetworkPanel::save(const QString& path) {
  auto* view = tabs_->currentWidget();
  if (path.endsWith(".png", Qt::CaseInsensitive)) return save_picture(path, *view);
  if (path.endsWith(".svg", Qt::CaseInsensitive)) return save_drawing(path, *view);
  if (view == worst_) return save_table(path, worst_->table(), WorstModel::value_role);
  std::vector<Quantity> shown;
  if (view == heat_map_) shown = {heat_map_->quantity()};
  for (auto* chart : view->findChildren<StripChart*>()) shown.push_back(chart->quantity());
  if (shown.empty()) return save_table(path, sorted_flows_, FlowTableModel::sort_role);
  return save_samples(path, samples_to_export({history_, window_, focus_}, shown));
}

}  // namespace lw
