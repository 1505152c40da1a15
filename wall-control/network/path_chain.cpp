#include "wall-control/network/path_chain.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/tile_names.h"
#include "wall-control/ui/two_lines.h"
#include "wall-control/ui/type.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace lw {
namespace {

constexpr int station_least_px = 142, station_gap = 14, chain_margin = 12, mark_px = 15;
constexpr int name_lines = 2, evidence_lines = 4;

QColor evidence_color(State state) {
  return state == State::warn || state == State::crit ? color_of(state) : colors::text2;
}

QString name_or_unknown(const HopFacts& hop) { return hop.name.isEmpty() ? PathChain::tr("Not known") : hop.name; }

}  // namespace

PathChain::PathChain(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Path of the flow"));
  auto policy = QSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

QString PathChain::words() const {
  if (!path_) return {};
  QStringList lines;
  for (std::size_t i = 0; i < hop_count; ++i) {
    const auto& hop = path_->hops[i];
    QStringList evidence;
    for (const auto& fact : hop.evidence) evidence << fact.text;
    lines << tr("%1: %2. %3").arg(FlowPaths::name_of(static_cast<Hop>(i)), name_or_unknown(hop), evidence.join("; "));
  }
  return lines.join('\n');
}

void PathChain::show_path(const FlowPath& path) {
  const int before = heightForWidth(width());
  path_ = path;
  setAccessibleName(tr("Path of flow %1, tile %2")
                        .arg(path.flow)
                        .arg(tile_name(path.part.column.value_or(0), path.part.row.value_or(0))));
  setAccessibleDescription(words());
  setToolTip(words());
  if (heightForWidth(width()) != before) updateGeometry();
  update();
}

int PathChain::columns_at(int width) const {
  const int room = width - 2 * chain_margin;
  const int all = static_cast<int>(hop_count);
  return room >= all * type::scaled(station_least_px) ? all : all / 2;
}

int PathChain::station_height(const HopFacts& hop, int width) const {
  const auto heading = type::sized(11), name = type::sized(13, true), evidence = type::sized(12);
  int height = type::scaled(mark_px) + 4 + QFontMetrics(heading).height();
  height += QFontMetrics(name).height() * lines_of(name, name_or_unknown(hop), width, name_lines);
  for (const auto& fact : hop.evidence)
    height += QFontMetrics(evidence).height() * lines_of(evidence, fact.text, width, evidence_lines);
  return height;
}

int PathChain::row_height(int row, int columns, int width) const {
  int height = 0;
  for (int i = 0; i < columns; ++i)
    height = std::max(height, station_height(path_->hops[static_cast<std::size_t>(row * columns + i)], width));
  return height;
}

int PathChain::heightForWidth(int width) const {
  if (!path_) return type::scaled(80);
  const int columns = columns_at(width);
  const int station = (width - 2 * chain_margin) / columns - station_gap;
  int height = 2 * chain_margin;
  const int rows = static_cast<int>(hop_count) / columns;
  for (int row = 0; row < rows; ++row) height += row_height(row, columns, station) + (row > 0 ? chain_margin : 0);
  return height;
}

// The mark stands on the line that leads to the next station, and the texts below it.
void PathChain::paint_station(QPainter& painter, Hop hop, const QRect& place, bool last) const {
  const auto& facts = path_->at(hop);
  const int mark = type::scaled(mark_px);
  const int middle = place.top() + mark / 2;
  if (!last) {
    painter.setPen(colors::edge);
    painter.drawLine(place.left() + mark + 6, middle, place.right() + station_gap - 6, middle);
  }
  paint_state(painter, facts.state, QRectF(place.left(), place.top(), mark, mark));
  painter.setRenderHint(QPainter::Antialiasing, false);
  int top = place.top() + mark + 4;
  const auto write = [&](double px, bool strong, const QColor& color, const QString& text, int lines) {
    painter.setFont(type::sized(px, strong));
    painter.setPen(color);
    const int height = painter.fontMetrics().height();
    top += height * draw_lines(painter, QRect(place.left(), top, place.width(), height), text, lines);
  };
  write(11, false, colors::text3, FlowPaths::name_of(hop), 1);
  write(13, true, facts.name.isEmpty() ? colors::text3 : colors::text, name_or_unknown(facts), name_lines);
  for (const auto& fact : facts.evidence) write(12, false, evidence_color(fact.state), fact.text, evidence_lines);
}

void PathChain::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!path_) return;
  const int columns = columns_at(width());
  const int step = (width() - 2 * chain_margin) / columns;
  int top = chain_margin;
  for (int row = 0; row * columns < static_cast<int>(hop_count); ++row) {
    const int height = row_height(row, columns, step - station_gap);
    for (int i = 0; i < columns; ++i) {
      const int hop = row * columns + i;
      paint_station(painter, static_cast<Hop>(hop), QRect(chain_margin + i * step, top, step - station_gap, height),
                    hop + 1 == static_cast<int>(hop_count));
    }
    top += height + chain_margin;
  }
}

void PathChain::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateGeometry();
}

}  // namespace lw
