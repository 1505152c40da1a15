#include "wall-control/network/burst_panel.h"

#include "wall-control/plots/histogram.h"
#include "wall-control/plots/time_ticks.h"
#include "wall-control/ui/counts.h"
#include "wall-control/ui/empty_state.h"
#include "wall-control/ui/figure_table.h"
#include "wall-control/ui/text_label.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>

namespace lw {
BurstPanel::BurstPanel(NetworkModels& models, QWidget* parent) : QWidget(parent), models_(models) {
  sorted_.setSourceModel(&rows_);
  sorted_.setSortRole(BurstTableModel::value_role);
  empty_ = new EmptyState(Icon::columns);
  connect(empty_, &EmptyState::wanted, this, &BurstPanel::do_what_helps);
  pages_ = new QStackedWidget;
  pages_->addWidget(empty_);
  pages_->addWidget(make_content());
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(make_head());
  layout->addWidget(pages_, 1);
  connect(&models.window(), &TimeWindow::changed, this, [this] { changes_.ask(); });
  connect(&models.focus(), &Focus::changed, this, &BurstPanel::refresh);
  connect(&models, &NetworkModels::wall_changed, this, &BurstPanel::refresh);
  connect(&models, &NetworkModels::choice_changed, this, &BurstPanel::refresh);
  connect(&models, &NetworkModels::refreshed, this, [this] {
    if (models_.window().live() && rest_.over()) refresh();
  });
}

QWidget* BurstPanel::make_head() {
  what_ = new QTabBar;
  what_->setObjectName("bursts-of");
  what_->setAccessibleName(tr("Kind of burst"));
  what_->setDrawBase(false);
  what_->setExpanding(false);
  what_->addTab(tr("Lost packets"));
  what_->setTabToolTip(0, tr("Bursts of lost packets, found in the counts of each tenth of a second"));
  what_->addTab(tr("Packets per call"));
  what_->setTabToolTip(1, tr("How many packets arrived together, so that one system call received them"));
  connect(what_, &QTabBar::currentChanged, this, [this] {
    refresh();
    view_->sortByColumn(BurstTableModel::sort_column(what()), Qt::DescendingOrder);
  });
  time_ = new TextLabel({}, 12, Tone::text3);
  auto* head = new QWidget;
  auto* layout = new QHBoxLayout(head);
  layout->setContentsMargins(4, 0, 8, 0);
  layout->addWidget(what_);
  layout->addStretch(1);
  layout->addWidget(time_);
  return head;
}

void BurstPanel::make_table() {
  view_ = new FigureTable;
  view_->setObjectName("bursts");
  view_->setAccessibleName(tr("Bursts by flow, worst first"));
  view_->setModel(&sorted_);
  view_->setSortingEnabled(true);
  view_->set_widths({52, 52, -74, 62, 62, 72, 68, 76, 86});
  view_->set_spare({BurstTableModel::longest_run, BurstTableModel::node, BurstTableModel::tile});
  view_->sortByColumn(BurstTableModel::sort_column(BurstsOf::losses), Qt::DescendingOrder);
  connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const auto row = static_cast<std::size_t>(sorted_.mapToSource(index).row());
    models_.focus().show(rows_.rows()[row].part);
  });
  models_.add_up_key(*view_);
}

QWidget* BurstPanel::make_content() {
  histogram_ = new Histogram;
  make_table();
  sentence_ = new TextLabel({}, 12, Tone::text3);
  sentence_->setContentsMargins(8, 2, 8, 2);
  sentence_->setWordWrap(true);
  auto* parts = new QSplitter(Qt::Vertical);
  parts->addWidget(histogram_);
  parts->addWidget(view_);
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 1);
  parts->setChildrenCollapsible(false);
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(8, 4, 8, 0);
  layout->setSpacing(0);
  layout->addWidget(parts, 1);
  layout->addWidget(sentence_);
  return content;
}

BurstsOf BurstPanel::what() const { return what_->currentIndex() == 0 ? BurstsOf::losses : BurstsOf::calls; }

void BurstPanel::refresh() {
  if (!isVisible()) return;
  rest_.after([this] { show_bursts(); });
}

BurstPanel::Found BurstPanel::find(const TimeWindow::Range& range) const {
  Found found;
  const auto& part = models_.focus().part();
  const auto of = what() == BurstsOf::losses ? BurstTableModel::losses_of : BurstTableModel::calls_of;
  for (const auto& flow : models_.history().flows()) {
    if (!part.has(flow) || (part.flow && flow.flow != *part.flow)) continue;
    ++found.flows;
    const auto* bursts = models_.evidence() ? models_.evidence()->bursts.of(flow.flow) : nullptr;
    if (bursts == nullptr) continue;
    found.reported = true;
    found.measured = found.measured || (what() == BurstsOf::losses ? bursts->counts_runs() : bursts->counts_calls());
    if (auto row = of(flow, *bursts, range.first, range.last, found.sizes)) found.rows.push_back(std::move(*row));
  }
  return found;
}

void BurstPanel::show_bursts() {
  const auto range = models_.window().chosen();
  auto found = find(range);
  const auto number = static_cast<qint64>(found.rows.size());
  std::optional<Histogram::Compared> compared;
  QString before_words;
  if (models_.compares()) {
    auto before = find({range.first - range.count(), range.first - 1});
    const auto time = span_words(static_cast<double>(range.count()) / TimeSeries::samples_per_second);
    const auto words =
        what() == BurstsOf::losses ? tr("In the %1 before, %2 lost packets.") : tr("In the %1 before: %2.");
    before_words = words.arg(time, counts::flows(static_cast<qint64>(before.rows.size())));
    compared = {time, tr("%1 before").arg(time), std::move(before.sizes)};
  }
  time_->setText(models_.chosen_time_words());
  rows_.set(what(), std::move(found.rows));
  pages_->setCurrentIndex(number > 0 ? 1 : 0);
  if (number == 0) return show_nothing(found, before_words);
  const bool losses = what() == BurstsOf::losses;
  histogram_->set(losses ? Histogram::Titles{tr("Packets lost in a burst"), tr("Bursts")}
                         : Histogram::Titles{tr("Packets per call, mean of a tenth of a second"), tr("Samples")},
                  found.sizes, compared);
  const auto sentence = losses ? tr("%1 of %2 lost packets") : tr("%1 of %2 measured; ten minutes are kept");
  const auto now_words = sentence.arg(number).arg(counts::flows(found.flows));
  sentence_->setText(compared ? tr("%1. %2").arg(now_words, before_words) : now_words);
}

// With the next step.
void BurstPanel::show_nothing(const Found& found, const QString& before) {
  measured_ = found.measured;
  if (found.reported && !found.measured)
    return empty_->say(tr("Not counted by the nodes"), tr("A newer wall-client on the nodes counts it."));
  if (!found.measured)
    return empty_->say(tr("Nothing measured yet"), tr("Bursts are shown once a visualization plays."),
                       tr("Open library"));
  if (what() == BurstsOf::calls)
    return empty_->say(tr("Nothing measured in this time"), tr("The newest ten minutes are kept."),
                       tr("Show the last hour"));
  const bool more = models_.window().seconds() < TimeWindow::longest_s || models_.window().marked();
  const auto next = more ? tr("A longer time may have bursts.") : tr("Not in the whole time that is kept.");
  empty_->say(tr("No packets were lost"), before.isEmpty() ? next : before,
              more ? tr("Show the last hour") : QString());
}

void BurstPanel::do_what_helps() {
  if (!measured_) return emit library_wanted();
  models_.window().unmark();
  models_.window().hold(false);
  models_.window().set_seconds(TimeWindow::longest_s);
}

void BurstPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

}  // namespace lw
