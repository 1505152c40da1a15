#include "wall-control/health/figure_grid.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace lw {
namespace {

constexpr double pair_px = 12, pair_height = 20;
constexpr int grid_between = 16;

}  // namespace

FigureGrid::FigureGrid(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

QSize FigureGrid::sizeHint() const {
  return {type::scaled(300), type::scaled(pair_height) * static_cast<int>((pairs_.size() + 1) / 2)};
}

void FigureGrid::show_pairs(std::vector<Pair> pairs) {
  if (pairs.size() != pairs_.size()) updateGeometry();
  pairs_ = std::move(pairs);
  QStringList words;
  for (const auto& pair : pairs_)
    words << QString("%1: %2").arg(pair.name, pair.value.isEmpty() ? tr("not measured") : pair.value);
  const auto all = words.join("; ");
  if (accessibleDescription() != all) setAccessibleDescription(all);
  update();
}

QRect FigureGrid::place_of(std::size_t pair) const {
  const int high = type::scaled(pair_height);
  const int wide = (width() - grid_between) / 2;
  return {pair % 2 == 0 ? 0 : wide + grid_between, static_cast<int>(pair / 2) * high, wide, high};
}

void FigureGrid::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const auto font = type::sized(pair_px);
  const QFontMetrics metrics(font);
  painter.setFont(font);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& pair = pairs_[i];
    const auto place = place_of(i);
    const auto value = pair.value.isEmpty() ? QString(QChar(0x2013)) : pair.value;
    painter.setPen(colors::text2);
    const int room = place.width() - static_cast<int>(type::figure_width(font, value)) - 6;
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(pair.name, Qt::ElideRight, room));
    painter.setPen(pair.value.isEmpty() ? colors::text3 : pair.bad ? colors::crit : colors::text);
    type::paint_figure(painter, place, Qt::AlignRight | Qt::AlignVCenter, value);
  }
}

bool FigureGrid::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (!place_of(i).contains(help->pos())) continue;
    const auto value = pairs_[i].value.isEmpty() ? tr("not measured") : pairs_[i].value;
    QToolTip::showText(help->globalPos(), QString("%1: %2\n%3").arg(pairs_[i].name, value, pairs_[i].definition), this);
  }
  return true;
}

}  // namespace lw
