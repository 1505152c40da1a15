#include "wall-control/health/problems_panel.h"

#include "wall-control/health/problem_card.h"
#include "wall-control/health/wall_summary.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/tile_names.h"

#include <QBoxLayout>
#include <QScrollArea>

#include <algorithm>

namespace lw {

ProblemsPanel::ProblemsPanel(const Models& models, QWidget* parent)
    : Panel(parent),
      models_(models),
      list_(new QVBoxLayout),
      none_(TextLabel::wrapping(13, Tone::text2)),
      others_(TextLabel::wrapping(12, Tone::text3)),
      summary_(new WallSummary) {
  setAccessibleName(tr("Problems"));
  list_->setSpacing(0);
  auto* content = new QWidget;
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  auto* words = new QWidget;
  auto* texts = new QVBoxLayout(words);
  texts->setContentsMargins(12, 12, 12, 12);
  texts->addWidget(none_);
  texts->addWidget(others_);
  layout->addLayout(list_);
  layout->addWidget(words);
  layout->addWidget(summary_);
  layout->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(content);
  for (auto* ground : {content, scroll->viewport()}) {
    ground->setBackgroundRole(QPalette::Base);
    ground->setAutoFillBackground(true);
  }
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(scroll);
  connect(&models_.focus, &Focus::changed, this, [this] { shown_.now(); });
}

void ProblemsPanel::showEvent(QShowEvent* event) {
  Panel::showEvent(event);
  shown_.now();
}

bool ProblemsPanel::is_selected(const Problem& problem) const {
  const auto& part = models_.focus.part();
  if (part == Part{} || problem.part == Part{}) return false;
  if (part == problem.part) return true;
  // A tile of a node's problem is selected.
  const auto tiles = models_.causes.tiles_of(part);
  return tiles.size() == 1 && std::ranges::find(problem.tiles, tiles.front()) != problem.tiles.end();
}

Part ProblemsPanel::worst_of(const Problem& problem) const {
  if (problem.tiles.empty()) return problem.part;
  const auto& tile = models_.history.tiles()[problem.tiles.front()];
  return {tile.column, tile.row, {}};
}

void ProblemsPanel::select_next(int step) {
  const auto problems = models_.problems.now();
  if (problems.empty()) return;
  const auto found = std::ranges::find_if(problems, [&](const Problem& problem) { return is_selected(problem); });
  const auto count = static_cast<int>(problems.size());
  const int now = found == problems.end() ? (step > 0 ? -1 : count) : static_cast<int>(found - problems.begin());
  models_.focus.show(worst_of(problems[static_cast<std::size_t>((now + step + count) % count)]));
}

void ProblemsPanel::show_problems() {
  const auto problems = models_.problems.now();
  set_note(problems.empty() ? QString() : QString::number(problems.size()));
  const auto shown = std::min(problems.size(), cards_max);
  while (cards_.size() < shown) {
    auto* card = new ProblemCard;
    connect(card, &ProblemCard::chosen, this, [this, card] { models_.focus.show(card->problem().part); });
    connect(card, &ProblemCard::hosts_wanted, this,
            [this, card] { emit hosts_wanted(models_.history.tiles()[card->problem().tiles.front()].node); });
    cards_.push_back(card);
    list_->addWidget(card);
  }
  for (std::size_t i = 0; i < cards_.size(); ++i) {
    cards_[i]->setVisible(i < shown);
    if (i >= shown) continue;
    const auto& problem = problems[i];
    cards_[i]->show_problem(problem, models_.causes.of(problem).brief, models_.problems.minute_of(problem),
                            is_selected(problem));
  }
  none_->parentWidget()->setVisible(problems.empty() || problems.size() > shown);
  none_->setVisible(problems.empty());
  none_->setText(models_.health.has_contact() ? tr("No problems. Alarms and faults of tiles are listed here.")
                                              : tr("No connection, so problems are not known."));
  others_->setVisible(problems.size() > shown);
  others_->setText(tr("%1 more").arg(problems.size() - shown));
  show_summary();
}

void ProblemsPanel::show_summary() {
  WallSummary::Content content;
  content.counts = models_.health.counts();
  content.limit_us = models_.health.limits().of(Quantity::skew);
  content.playing = models_.health.playing();
  double furthest = content.limit_us.value_or(0);
  for (const auto& tile : models_.history.tiles()) {
    const auto skew = models_.status.skew_us(tile.column, tile.row);
    if (!skew) continue;
    content.skews_us.push_back(*skew);
    if (*skew <= furthest) continue;
    furthest = *skew;
    content.furthest = tile_name(tile.column, tile.row);
  }
  summary_->setVisible(!models_.history.tiles().empty());
  summary_->show_content(std::move(content));
}

}  // namespace lw
