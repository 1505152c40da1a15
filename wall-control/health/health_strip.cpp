#include "wall-control/health/health_strip.h"

#include "wall-control/health/answer_block.h"
#include "wall-control/health/figure_cell.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QPainter>

#include <algorithm>

namespace lw {

HealthStrip::HealthStrip(const Health& health, const Problems& problems, QWidget* parent)
    : QWidget(parent), health_(health), problems_(problems), answer_(new AnswerBlock) {
  setAccessibleName(tr("Health of the wall"));
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 1);
  layout->setSpacing(0);
  layout->addWidget(answer_);
  for (auto& cell : cells_) {
    cell = new FigureCell;
    connect(cell, &FigureCell::clicked, this, [this, cell] { emit figure_chosen(cell->figure().quantity); });
    layout->addWidget(cell, 1);
  }
  connect(answer_, &AnswerBlock::show_cause, this, [this] {
    const auto now = problems_.now();
    if (!now.empty()) emit show_cause(now.front());
  });
  connect(answer_, &AnswerBlock::acknowledge, this, &HealthStrip::acknowledge);
  connect(answer_, &AnswerBlock::try_now, this, &HealthStrip::try_now);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  shown_.now();
}

void HealthStrip::show_answer(const std::vector<Problem>& problems) {
  AnswerBlock::Content content{health_.answer(), health_.summaries(), {}, AnswerBlock::Offer::nothing, false};
  const bool degraded = content.answer.wall == WallState::faults || content.answer.wall == WallState::degraded;
  content.acknowledge = health_.has_contact() && std::ranges::any_of(health_.alarms(), [](const RaisedAlarm& alarm) {
                          return !alarm.acknowledged;
                        });
  if (content.answer.wall == WallState::no_connection) {
    content.offer = AnswerBlock::Offer::connection;
    // What happened, and below it what comes next.
    const auto why = content.details.value(0);
    const auto end = why.indexOf(". ") + 1;
    if (end > 0) {
      content.details = {why.left(end)};
      content.more = why.mid(end + 1);
    }
  }
  if (degraded && !problems.empty()) {
    const auto& worst = problems.front();
    const auto since = static_cast<double>(health_.now_ms() - worst.since_ms) / 1000;
    content.details = {
        worst.since_ms > 0 ? tr("%1 for %2").arg(worst.sentence, figure_text::span(since)) : worst.sentence,
        worst.sentence};
    content.more = more_words(problems);
    content.offer = AnswerBlock::Offer::cause;
  }
  answer_->show_content(content);
}

void HealthStrip::show_health() {
  const bool contact = health_.has_contact();
  if (contact)
    lost_.invalidate();
  else if (!lost_.isValid())
    lost_.start();
  show_answer(problems_.now());
  const auto aged =
      contact ? QString() : tr("%1 ago").arg(figure_text::span(static_cast<double>(lost_.elapsed()) / 1000));
  const auto figures = health_.figures();
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i]->show_figure(figures[i], aged);
}

void HealthStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  for (auto* cell : cells_) cell->show_sparkline(window()->width() >= sparklines_from);
}

void HealthStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::window);
  painter.fillRect(0, height() - 1, width(), 1, colors::line);
}

}  // namespace lw
