#include "wall-control/network/distribution_panel.h"

#include "wall-control/models/line_summary.h"
#include "wall-control/plots/lane_chart.h"
#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/figure_table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QPen>

#include <algorithm>

namespace lw {
namespace {

bool is_in(const FlowHistory& history, Scope scope, int index, const Part& part) {
  const auto* tile = history.tile_of(scope, index);
  if (tile == nullptr) return true;
  if (!part.node.isEmpty() && tile->node != part.node) return false;
  if (!part.has_tile(tile->column, tile->row)) return false;
  return !part.flow || scope != Scope::flow || index == *part.flow;
}

}  // namespace

std::vector<Distribution::Curve> curves_of(NetworkModels& models) {
  const auto& history = models.history();
  const auto& part = models.focus().part();
  const auto quantity = models.quantity();
  const auto range = models.window().chosen();
  const auto span = models.window().span_of(range);
  const bool whole = part == Part{} || info(quantity).scope == Scope::wall;
  const auto time = span_words(static_cast<double>(range.count()) / TimeSeries::samples_per_second);
  const auto when = models.window().marked() ? DistributionPanel::tr("marked %1").arg(time) : time;
  Distribution::Curve own{DistributionPanel::tr("%1, %2").arg(name_of(part), when), {}};
  Distribution::Curve others{DistributionPanel::tr("All others, %1").arg(when), {}};
  Distribution::Curve before{DistributionPanel::tr("%1, %2 before").arg(name_of(part), time), {}};
  const auto add = [](Distribution::Curve& curve, const TimeSeries& series, const SampleSpan& from) {
    const auto more = values_of(series, from);
    curve.samples.insert(curve.samples.end(), more.begin(), more.end());
  };
  const SampleSpan earlier{span.newer + span.count, span.count};
  for (const auto& line : history.lines(quantity)) {
    const bool in = is_in(history, info(quantity).scope, line.index, part);
    add(in ? own : others, *line.series, span);
    if (in && models.compares()) add(before, *line.series, earlier);
  }
  std::vector<Distribution::Curve> curves{std::move(own)};
  if (!whole) curves.push_back(std::move(others));
  if (models.compares()) curves.push_back(std::move(before));
  for (auto& curve : curves) sort_samples(curve.samples);
  return curves;
}

void CurveTableModel::set(const std::vector<Distribution::Curve>& curves, const AxisUnit& unit) {
  std::vector<Row> rows;
  for (const auto& curve : curves) {
    Row row{curve.name, {}};
    row.values[median] = quantile(curve.samples, 0.5);
    row.values[p90] = quantile(curve.samples, 0.9);
    row.values[p99] = quantile(curve.samples, 0.99);
    row.values[greatest] = static_cast<double>(curve.samples.back());
    row.values[samples] = static_cast<double>(curve.samples.size());
    rows.push_back(std::move(row));
  }
  if (rows.size() == rows_.size() && unit.name == unit_.name) {
    rows_ = std::move(rows);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, column_count - 1));
    return;
  }
  beginResetModel();
  rows_ = std::move(rows);
  unit_ = unit;
  endResetModel();
}

QVariant CurveTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const auto at = static_cast<std::size_t>(index.row());
  const auto& row = rows_[at];
  const double value = row.values[static_cast<std::size_t>(index.column())];
  switch (role) {
    case value_role:
      return index.column() == name ? QVariant(row.name) : QVariant(value);
    case Qt::DisplayRole:
      if (index.column() == name) return row.name;
      return short_number(index.column() == samples ? value : value / unit_.size);
    case Qt::ToolTipRole:
      return index.column() == name ? QVariant(row.name) : QVariant();
    case FigureTable::pen_role:
      return index.column() == name ? QVariant(LaneChart::pen_of_rank(at)) : QVariant();
    case FigureTable::strong_role:
      return index.column() == p99;
    case Qt::TextAlignmentRole:
      return int((index.column() == name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
      return {};
  }
}

QVariant CurveTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int((section == name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const std::array<QString, column_count> headings{unit_.name, tr("Median"),   tr("p90"),
                                                   tr("p99"),  tr("Greatest"), tr("Samples")};
  return headings[static_cast<std::size_t>(section)];
}

DistributionPanel::DistributionPanel(NetworkModels& models, QWidget* parent)
    : QWidget(parent), models_(models), distribution_(new Distribution), table_(new FigureTable) {
  table_->setObjectName("curves");
  table_->setModel(&curves_);
  table_->setAccessibleName(tr("Figures of the distribution"));
  table_->set_widths({-210, 58, 58, 58, 70, 74});
  table_->set_spare({CurveTableModel::samples, CurveTableModel::p90, CurveTableModel::greatest});
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 4);
  layout->setSpacing(4);
  layout->addWidget(distribution_, 1);
  layout->addWidget(table_);
  connect(&models.window(), &TimeWindow::changed, this, [this] { changes_.ask(); });
  connect(&models.focus(), &Focus::changed, this, &DistributionPanel::refresh);
  connect(&models, &NetworkModels::choice_changed, this, &DistributionPanel::refresh);
  connect(&models, &NetworkModels::refreshed, this, [this] {
    if (models_.window().live() && rest_.over()) refresh();
  });
  connect(&curves_, &QAbstractItemModel::modelReset, this, &DistributionPanel::fit_table);
  fit_table();
}

void DistributionPanel::fit_table() {
  const int rows = std::max(1, curves_.rowCount());
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         rows * table_->verticalHeader()->defaultSectionSize() + 2);
}

void DistributionPanel::refresh() {
  if (!isVisible()) return;
  rest_.after([this] { show_curves(); });
}

void DistributionPanel::show_curves() {
  distribution_->set(models_.quantity(), curves_of(models_), models_.notes().limit(models_.quantity()));
  curves_.set(distribution_->curves(), distribution_->unit());
}

void DistributionPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void DistributionPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (table_ != nullptr && (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)) fit_table();
}

}  // namespace lw
