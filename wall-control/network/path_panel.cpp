#include "wall-control/network/path_panel.h"

#include "wall-control/network/path_chain.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/empty_state.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/ui/type.h"
#include "wall-control/ui/within_sentence.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace lw {
namespace {

constexpr int paths_least_rows = 3;

}  // namespace

PathPanel::PathPanel(NetworkModels& models, QWidget* parent)
    : QWidget(parent), models_(models), pages_(new QStackedWidget), empty_(new EmptyState(Icon::network)) {
  empty_->say(tr("Nothing measured yet"), tr("The paths of flows are shown once a visualization plays."),
              tr("Open library"));
  connect(empty_, &EmptyState::wanted, this, &PathPanel::library_wanted);
  pages_->addWidget(empty_);
  pages_->addWidget(make_content());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(pages_);
  connect(&models.window(), &TimeWindow::changed, this, [this] { changes_.ask(); });
  connect(&models.focus(), &Focus::changed, this, [this] {
    flow_ = models_.focus().part().flow;
    refresh();
  });
  connect(&models, &NetworkModels::wall_changed, this, [this] {
    flow_.reset();
    refresh();
  });
  connect(&models, &NetworkModels::refreshed, this, [this] {
    if (models_.window().live() && rest_.over()) refresh();
  });
}

QWidget* PathPanel::make_content() {
  title_ = new TextLabel({}, 14, Tone::text, true);
  title_->setObjectName("path-title");
  cause_ = new TextLabel({}, type::body_px, Tone::text2);
  cause_->setObjectName("path-cause");
  sentence_ = new TextLabel({}, 12, Tone::text3);
  for (auto* label : {title_, cause_, sentence_}) {
    label->setContentsMargins(12, 0, 12, 0);
    label->setWordWrap(true);
  }
  chain_ = new PathChain;
  view_ = new FigureTable;
  view_->setObjectName("paths");
  view_->setAccessibleName(tr("Flows by loss, with where they are lost"));
  view_->setModel(&rows_);
  view_->setSelectionMode(QAbstractItemView::SingleSelection);
  view_->set_widths({50, 56, 74, -92, 84, 60, 72, 80, -116, 72});
  view_->set_spare({PathTableModel::uplink, PathTableModel::downlink, PathTableModel::node, PathTableModel::tile});
  view_->setMinimumHeight(view_->horizontalHeader()->sizeHint().height() +
                          paths_least_rows * view_->verticalHeader()->defaultSectionSize());
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (choosing_ || !index.isValid()) return;
    flow_ = rows_.rows()[static_cast<std::size_t>(index.row())].flow;
    show_current();
  });
  connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
    models_.focus().show(rows_.rows()[static_cast<std::size_t>(index.row())].part);
  });
  models_.add_up_key(*view_);
  auto* content = new QWidget;
  content->setAutoFillBackground(true);
  content->setBackgroundRole(QPalette::Base);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 8, 0, 4);
  layout->setSpacing(4);
  layout->addWidget(title_);
  layout->addWidget(chain_);
  layout->addWidget(cause_);
  layout->addWidget(view_, 1);
  layout->addWidget(sentence_);
  return content;
}

// With a flow, those of its tile, to compare it with.
Part PathPanel::listed() const {
  auto part = models_.focus().part();
  part.flow.reset();
  return part;
}

void PathPanel::refresh() {
  if (!isVisible()) return;
  rest_.after([this] { show_paths(); });
}

void PathPanel::show_paths() {
  std::vector<FlowPath> rows;
  const bool measured = models_.evidence() && models_.history().times().count() > 0;
  if (measured) {
    auto& paths = models_.evidence()->paths;
    const auto span = models_.window().span_of(models_.window().chosen());
    paths.refresh();
    for (const auto place : paths.worst(listed(), span, PathTableModel::rows_max))
      rows.push_back(paths.of(place, span));
  }
  pages_->setCurrentIndex(rows.empty() ? 0 : 1);
  choosing_ = true;
  rows_.set(std::move(rows));
  choosing_ = false;
  show_current();
}

void PathPanel::show_current() {
  if (rows_.rows().empty()) return;
  int row = flow_ ? rows_.row_of(*flow_) : 0;
  if (row < 0) row = 0;
  const auto& path = rows_.rows()[static_cast<std::size_t>(row)];
  // The row of the shown flow stays the current one, wherever it moves to.
  choosing_ = true;
  if (view_->currentIndex().row() != row || !view_->selectionModel()->hasSelection()) view_->selectRow(row);
  choosing_ = false;
  title_->setText(tr("Flow %1, tile %2 on %3")
                      .arg(path.flow)
                      .arg(tile_name(path.part.column.value_or(0), path.part.row.value_or(0)), path.node));
  chain_->show_path(path);
  say_cause(path);
  const auto flows = std::ranges::count_if(models_.history().flows(),
                                           [part = listed()](const FlowRow& flow) { return part.has(flow); });
  const auto listed_rows = static_cast<qsizetype>(rows_.rows().size());
  sentence_->setText(listed_rows < flows
                         ? tr("The %1 worst of %2. Enter selects a flow, Backspace goes up.")
                               .arg(listed_rows)
                               .arg(counts::flows(flows))
                         : tr("%1, worst first. Enter selects a flow, Backspace goes up.").arg(counts::flows(flows)));
}

// Of its tile, as of now.
void PathPanel::say_cause(const FlowPath& path) {
  auto tile = path.part;
  tile.flow.reset();
  const auto cause = models_.evidence()->causes.of(tile);
  if (cause.kind == Cause::Kind::none)
    return cause_->setText(path.loss.any() ? tr("It lost packets in the chosen time. The tile is well now.")
                                           : tr("Nothing is wrong on this path."));
  const bool clear = cause.kind != Cause::Kind::unclear;
  cause_->setText(clear ? tr("Likely cause: %1. %2").arg(within_sentence(cause.title), cause.text)
                        : tr("%1. %2").arg(cause.title, cause.text));
}

void PathPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace lw
