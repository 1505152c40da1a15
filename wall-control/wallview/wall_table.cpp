#include "wall-control/wallview/wall_table.h"

#include "wall-control/ui/counts.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/icons.h"

#include <QAction>
#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QScopedValueRollback>

#include <algorithm>

namespace lw {

WallTable::WallTable(const FlowHistory& history, const WallStatus& status, const Health& health, Focus& focus,
                     QWidget* parent)
    : QWidget(parent), history_(history), health_(health), focus_(focus), model_(history, status, health) {
  sorted_.setSourceModel(&model_);
  sorted_.setSortRole(WallTableModel::value_role);
  rows_ = new FigureTable;
  rows_->setObjectName("wall-table");
  rows_->setAccessibleName(tr("Tiles of the wall"));
  rows_->setModel(&sorted_);
  rows_->setSortingEnabled(true);
  rows_->set_widths({52, 96, -190, 64, 72, 82, 82, 60, 64, 122, 76, 104, 66});
  rows_->set_spare({WallTableModel::throughput, WallTableModel::frame, WallTableModel::delay, WallTableModel::skew});
  rows_->sortByColumn(WallTableModel::state, Qt::AscendingOrder);
  summary_ = new QLabel;
  summary_->setForegroundRole(QPalette::PlaceholderText);
  auto* keys = new QLabel(tr("Enter shows the cause, Ctrl+C copies rows"));
  keys->setForegroundRole(QPalette::PlaceholderText);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(8, 4, 8, 4);
  foot->addWidget(summary_, 1);
  foot->addWidget(keys);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(rows_, 1);
  layout->addLayout(foot);
  make_actions();
  connect(rows_, &QTableView::activated, this, &WallTable::opened);
  connect(rows_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &WallTable::take_selection);
  connect(&focus_, &Focus::changed, this, &WallTable::follow_focus);
}

void WallTable::make_actions() {
  auto* csv = new QAction(icon(Icon::copy), tr("Copy as CSV"), rows_);
  connect(csv, &QAction::triggered, this, [this] {
    const auto text = as_csv();
    QGuiApplication::clipboard()->setText(text);
    emit copied(text);
  });
  auto* more = new QAction(tr("Tile menu"), rows_);
  connect(more, &QAction::triggered, this, [this] {
    const auto place = rows_->visualRect(rows_->currentIndex()).bottomLeft();
    emit menu_wanted(rows_->viewport()->mapToGlobal(place));
  });
  rows_->addActions({csv, more});
}

void WallTable::set_wall() {
  model_.set_wall();
  follow_focus();
}

void WallTable::show_figures() {
  if (!isVisible()) return;
  model_.refresh();
  const auto counts = health_.counts();
  const auto tiles = static_cast<int>(history_.tiles().size());
  summary_->setText(tr("%1 of %2 healthy").arg(counts.ok).arg(counts::tiles(tiles)));
  rows_->setAccessibleDescription(summary_->text());
}

void WallTable::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refreshed_.now();
  follow_focus();
}

void WallTable::take_selection() {
  if (selecting_) return;
  const QScopedValueRollback<bool> here(selecting_, true);
  const auto selected = rows_->selectionModel()->selectedRows();
  const auto current = rows_->currentIndex().siblingAtColumn(0);
  Focus::Tiles tiles;
  const auto add = [&](const QModelIndex& index) {
    tiles.push_back(model_.place_of(sorted_.mapToSource(index).row()));
  };
  if (selected.contains(current)) add(current);
  for (const auto& index : selected) add(index);
  focus_.show_tiles(tiles);
}

void WallTable::follow_focus() {
  if (selecting_ || !isVisible()) return;
  const QScopedValueRollback<bool> here(selecting_, true);
  const auto& part = focus_.part();
  QItemSelection chosen;
  QModelIndex current;
  for (int row = 0; part != Part{} && row < sorted_.rowCount(); ++row) {
    const auto index = sorted_.index(row, 0);
    const int source = sorted_.mapToSource(index).row();
    const auto [column, at] = model_.place_of(source);
    if (!part.has_tile(column, at) || (!part.node.isEmpty() && model_.node_of(source) != part.node)) continue;
    chosen.select(index, index);
    if (!current.isValid() || (part.column == column && part.row == at)) current = index;
  }
  auto* selection = rows_->selectionModel();
  selection->select(chosen, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (!current.isValid()) return;
  selection->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
  rows_->scrollTo(current);
}

QString WallTable::as_csv() const {
  std::vector<int> rows;
  for (int row = 0; row < sorted_.rowCount(); ++row) {
    const auto index = sorted_.index(row, 0);
    if (!rows_->selectionModel()->hasSelection() || rows_->selectionModel()->isRowSelected(row))
      rows.push_back(sorted_.mapToSource(index).row());
  }
  return model_.as_csv(rows);
}

}  // namespace lw
