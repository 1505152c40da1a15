#include "wall-control/wallview/problem_strip.h"

#include "wall-control/ui/counts.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/ui/type.h"
#include "wall-control/wallview/tile_face.h"
#include "wall-control/wallview/wall_view.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>

namespace lw {
namespace {

constexpr int card_width = 132, card_height = 76, card_distance = 12, strip_margin = 14;
constexpr int strip_repaint_ms = 400;

int title_height() { return type::scaled(34); }

}  // namespace

ProblemStrip::ProblemStrip(WallView& view, TilePreviews& previews, Focus& focus, QWidget* parent)
    : QWidget(parent), view_(view), previews_(previews), focus_(focus) {
  setObjectName("problem-strip");
  setAccessibleName(tr("Problem tiles"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  const auto add = [&](Icon meaning, const QString& name, int steps) {
    auto* made = new QToolButton(this);
    made->setIcon(icon(meaning));
    made->setText(name);
    made->setAccessibleName(name);
    made->setToolTip(name);
    made->setFocusPolicy(Qt::TabFocus);
    connect(made, &QToolButton::clicked, this, [this, steps] { view_.go_to_problem(steps); });
    return made;
  };
  back_ = add(Icon::left, tr("Previous problem"), -1);
  forward_ = add(Icon::right, tr("Next problem"), 1);
  repaint_soon_.setSingleShot(true);
  repaint_soon_.setInterval(strip_repaint_ms);
  connect(&repaint_soon_, &QTimer::timeout, this, qOverload<>(&QWidget::update));
  connect(&view_, &WallView::problems_changed, this, &ProblemStrip::take_problems);
  connect(&focus_, &Focus::changed, this, &ProblemStrip::show_selected);
  connect(&previews_, &TilePreviews::changed, this, [this](int column, int row) {
    const bool shown = std::ranges::any_of(
        problems_, [&](const Problem& problem) { return problem.column == column && problem.row == row; });
    if (shown && !repaint_soon_.isActive()) repaint_soon_.start();
  });
  hide();
}

QSize ProblemStrip::sizeHint() const { return {400, title_height() + card_height + type::scaled(26)}; }

QSize ProblemStrip::minimumSizeHint() const { return {card_width + 2 * strip_margin, sizeHint().height()}; }

int ProblemStrip::cards() const {
  return std::max(1, (width() - 2 * strip_margin + card_distance) / (card_width + card_distance));
}

QRect ProblemStrip::card(int index) const {
  return {strip_margin + index * (card_width + card_distance), title_height(), card_width, card_height};
}

void ProblemStrip::take_problems() {
  problems_.clear();
  for (const auto* tile : view_.problems()) problems_.push_back({tile->column, tile->row, view_.health_of(*tile)});
  setVisible(view_.tiles().size() >= tiles_min && !problems_.empty());
  setAccessibleDescription(tr("Problems on %1, worst first").arg(counts::tiles(static_cast<int>(problems_.size()))));
  show_selected();
}

void ProblemStrip::show_selected() {
  const int count = static_cast<int>(problems_.size());
  if (const auto* tile = view_.selected()) {
    const auto found = std::ranges::find_if(
        problems_, [&](const Problem& problem) { return problem.column == tile->column && problem.row == tile->row; });
    const int index = static_cast<int>(found - problems_.begin());
    if (index < count) first_ = std::clamp(first_, index - cards() + 1, index);
  }
  first_ = std::clamp(first_, 0, std::max(0, count - cards()));
  want_previews();
  update();
}

void ProblemStrip::want_previews() {
  TilePreviews::Sizes sizes;
  const auto size = (QSizeF(card_width, card_height) * devicePixelRatioF()).toSize();
  for (int i = first_; isVisible() && i < std::min(first_ + cards(), static_cast<int>(problems_.size())); ++i)
    sizes[{problems_[static_cast<std::size_t>(i)].column, problems_[static_cast<std::size_t>(i)].row}] = size;
  previews_.set_sizes(TilePreviews::Use::strip, std::move(sizes));
}

void ProblemStrip::resizeEvent(QResizeEvent*) {
  const int side = type::scaled(26);
  forward_->setGeometry(width() - strip_margin - side, (title_height() - side) / 2, side, side);
  back_->setGeometry(forward_->x() - side - 4, forward_->y(), side, side);
  show_selected();
}

void ProblemStrip::mousePressEvent(QMouseEvent* event) {
  for (int i = 0; i < cards() && first_ + i < static_cast<int>(problems_.size()); ++i) {
    const auto& problem = problems_[static_cast<std::size_t>(first_ + i)];
    if (card(i).contains(event->position().toPoint())) return view_.select(problem.column, problem.row);
  }
}

void ProblemStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colors::well);
  painter.setPen(colors::line);
  painter.drawLine(0, 0, width(), 0);
  painter.setFont(type::sized(13, true));
  painter.setPen(colors::text);
  QRect line(strip_margin, 0, back_->x() - strip_margin - 8, title_height());
  const auto title = tr("Problem tiles");
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
  line.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(title) + 10);
  painter.setFont(type::sized(12));
  painter.setPen(colors::text2);
  const auto note = tr("%1, worst first").arg(problems_.size());
  painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, note);
  const auto hint = tr("F8 and Shift+F8 go from one to the next");
  painter.setPen(colors::text3);
  const auto& metrics = painter.fontMetrics();
  if (metrics.horizontalAdvance(hint) + metrics.horizontalAdvance(note) + 24 <= line.width())
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, hint);
  for (int i = 0; i < cards() && first_ + i < static_cast<int>(problems_.size()); ++i)
    paint_card(painter, card(i), problems_[static_cast<std::size_t>(first_ + i)]);
}

void ProblemStrip::paint_card(QPainter& painter, const QRect& place, const Problem& problem) const {
  const auto* preview = previews_.scaled(TilePreviews::Use::strip, problem.column, problem.row);
  if (problem.health.state == State::off)
    tile_face::paint_hatching(painter, place);
  else if (preview != nullptr)
    painter.drawImage(place, *preview);
  else
    painter.fillRect(place, tile_face::empty_ground());
  // The place in the badge, because the figure stands below.
  const auto name = tile_name(problem.column, problem.row);
  tile_face::paint_state(painter, place, {problem.health.state, name}, card_distance / 2, place);
  const auto* tile = view_.selected();
  if (tile != nullptr && tile->column == problem.column && tile->row == problem.row)
    tile_face::paint_selection(painter, place, 3);
  painter.setFont(type::sized(11));
  painter.setPen(colors::text2);
  const QRect below(place.left(), place.bottom() + 6, place.width(), type::scaled(18));
  painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(problem.health.badge, Qt::ElideRight, below.width()));
}

}  // namespace lw
