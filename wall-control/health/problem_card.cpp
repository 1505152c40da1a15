#include "wall-control/health/problem_card.h"

#include "wall-control/health/state_mark.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/sparkline.h"
#include "wall-control/ui/text_label.h"
#include "wall-control/ui/type.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>

namespace lw {
namespace {

constexpr int card_margin = 12;
constexpr double spark_width = 70, spark_height = 26;

}  // namespace

ProblemCard::ProblemCard(QWidget* parent)
    : QWidget(parent),
      mark_(new StateMark(14)),
      name_(TextLabel::wrapping(13, Tone::text, true)),
      what_(TextLabel::wrapping(13, Tone::text)),
      context_(TextLabel::wrapping(12, Tone::text2)),
      brief_(TextLabel::wrapping(12, Tone::text2)),
      actions_(new QWidget),
      hosts_(new QPushButton(icon(Icon::cpu), tr("Open in Hosts"))),
      select_(new QPushButton(icon(Icon::select), {})) {
  setFocusPolicy(Qt::StrongFocus);
  hosts_->setAccessibleName(hosts_->text());
  connect(hosts_, &QPushButton::clicked, this, &ProblemCard::hosts_wanted);
  connect(select_, &QPushButton::clicked, this, &ProblemCard::chosen);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(3);
  // Beside the sparkline.
  auto* beside = new QHBoxLayout;
  auto* head = new QVBoxLayout;
  head->setSpacing(3);
  head->addWidget(name_);
  head->addWidget(what_);
  beside->addLayout(head, 1);
  beside->addSpacing(type::scaled(spark_width) + card_margin);
  texts->addLayout(beside);
  texts->addWidget(context_);
  texts->addWidget(brief_);
  auto* buttons = new QHBoxLayout(actions_);
  buttons->setContentsMargins(0, 5, 0, 0);
  buttons->addWidget(hosts_);
  buttons->addWidget(select_);
  buttons->addStretch();
  texts->addWidget(actions_);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(card_margin, 10, card_margin, 11);
  layout->setSpacing(10);
  layout->addWidget(mark_, 0, Qt::AlignTop);
  layout->addLayout(texts, 1);
}

void ProblemCard::show_problem(const Problem& problem, const QString& brief, std::vector<float> minute, bool selected) {
  problem_ = problem;
  minute_ = std::move(minute);
  selected_ = selected;
  mark_->set_state(problem.state);
  name_->setText(problem.name);
  what_->setText(problem.what);
  context_->setText(problem.context);
  context_->setVisible(!problem.context.isEmpty());
  brief_->setText(brief);
  brief_->setVisible(!brief.isEmpty());
  const auto tiles = problem.tiles.size();
  select_->setText(tiles == 1 ? tr("Select the tile") : tr("Select its %1 tiles").arg(tiles));
  select_->setAccessibleName(select_->text());
  actions_->setVisible(problem.part != Part{} && selected);
  setAccessibleName(problem.sentence);
  const auto words = QStringList{problem.what, problem.context, brief}.join(", ");
  if (accessibleDescription() != words) setAccessibleDescription(words);
  update();
}

void ProblemCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), selected_ ? colors::select : underMouse() ? colors::hover : colors::panel);
  painter.fillRect(0, height() - 1, width(), 1, colors::line);
  const QRect place(width() - card_margin - type::scaled(spark_width), 12, type::scaled(spark_width),
                    type::scaled(spark_height));
  const bool colored = problem_.state == State::crit || problem_.state == State::warn;
  paint_sparkline(painter, place, minute_, colored ? color_of(problem_.state) : colors::envelope);
  if (!hasFocus()) return;
  painter.setPen(QPen(colors::accent, 2));
  painter.drawRect(rect().adjusted(1, 1, -2, -3));
}

void ProblemCard::mousePressEvent(QMouseEvent* /*event*/) { emit chosen(); }

void ProblemCard::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
    emit chosen();
  else
    QWidget::keyPressEvent(event);
}

}  // namespace lw
