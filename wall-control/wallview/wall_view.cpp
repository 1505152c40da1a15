#include "wall-control/wallview/wall_view.h"

#include "wall-control/app/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

namespace lw {

WallView::WallView(const FlowHistory& history, QWidget* parent) : QWidget(parent), history_(history) {
  setAccessibleName(tr("The wall"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMouseTracking(true);
}

void WallView::set_wall(const QJsonObject& info) {
  const auto wall = info["wall"].toObject();
  name_ = wall["name"].toString();
  columns_ = wall["columns"].toInt();
  rows_ = wall["rows"].toInt();
  tile_width_ = std::max(1, wall["tile_width"].toInt());
  tile_height_ = std::max(1, wall["tile_height"].toInt());
  bezel_x_ = wall["bezel_x"].toInt();
  bezel_y_ = wall["bezel_y"].toInt();
  update();
}

void WallView::set_connected(bool connected) {
  connected_ = connected;
  update();
}

void WallView::refresh() {
  QStringList words;
  for (const auto& tile : history_.tiles())
    words << tr("tile %1,%2: %3").arg(tile.column).arg(tile.row).arg(state_of(tile).headline);
  setAccessibleDescription(words.join("; "));
  update();
}

WallView::TileState WallView::state_of(const TileRow& tile) const {
  using Kind = TileState::Kind;
  if (!connected_) return {Kind::gone, tr("unknown"), tr("not connected to the server")};
  if (!tile.connected) return {Kind::gone, tr("no node"), tr("%1 is not connected").arg(tile.node)};
  if (!tile.receiving)
    return {Kind::waiting, tr("no stream"),
            tile.frame ? tr("holds frame %1").arg(*tile.frame) : tr("no packets arrive")};
  const auto rate = tile.fps ? tr("%1 frame/s").arg(*tile.fps, 0, 'f', 1) : QString();
  if (tile.troubles > 0) return {Kind::trouble, tr("%1 frames in trouble").arg(tile.troubles), rate};
  return {Kind::playing, tile.frame ? tr("frame %1").arg(*tile.frame) : tr("playing"), rate};
}

QRectF WallView::rect_of(int column, int row) const {
  const double wall_width = columns_ * tile_width_ + (columns_ - 1) * bezel_x_;
  const double wall_height = rows_ * tile_height_ + (rows_ - 1) * bezel_y_;
  const double scale = std::min((width() - 24) / wall_width, (height() - 24) / wall_height);
  const double left = (width() - wall_width * scale) / 2;
  const double top = (height() - wall_height * scale) / 2;
  return {left + column * (tile_width_ + bezel_x_) * scale, top + row * (tile_height_ + bezel_y_) * scale,
          tile_width_ * scale, tile_height_ * scale};
}

void WallView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), colors::panel);
  if (columns_ == 0) {
    painter.setPen(colors::faint);
    painter.drawText(rect(), Qt::AlignCenter, tr("Connect to a server to see its wall"));
    return;
  }
  // The bezels are what shows between and around the tiles.
  const QRectF whole = rect_of(0, 0).united(rect_of(columns_ - 1, rows_ - 1)).adjusted(-6, -6, 6, 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor{0x05, 0x07, 0x0a});
  painter.drawRoundedRect(whole, 4, 4);
  for (const auto& tile : history_.tiles()) draw_tile(painter, tile);
}

void WallView::draw_tile(QPainter& painter, const TileRow& tile) const {
  const auto area = rect_of(tile.column, tile.row);
  const auto state = state_of(tile);
  using Kind = TileState::Kind;
  const QColor color = state.kind == Kind::playing   ? colors::good
                       : state.kind == Kind::trouble ? colors::bad
                       : state.kind == Kind::waiting ? colors::warning
                                                     : colors::faint;
  painter.setBrush(colors::raised);
  painter.setPen(QPen(color, 2));
  painter.drawRect(area.adjusted(1, 1, -1, -1));

  // A shape for each state: triangle plays, cross is in trouble, bars wait, ring is gone.
  const double size = std::clamp(area.height() / 7, 6.0, 18.0);
  const QPointF center(area.left() + 8 + size / 2, area.top() + 8 + size / 2);
  painter.setPen(QPen(color, 2.2));
  painter.setBrush(state.kind == Kind::playing ? QBrush(color) : QBrush(Qt::NoBrush));
  const double half = size / 2;
  if (state.kind == Kind::playing) {
    QPainterPath path;
    path.moveTo(center + QPointF(-half, -half));
    path.lineTo(center + QPointF(half, 0));
    path.lineTo(center + QPointF(-half, half));
    path.closeSubpath();
    painter.drawPath(path);
  } else if (state.kind == Kind::trouble) {
    painter.drawLine(center + QPointF(-half, -half), center + QPointF(half, half));
    painter.drawLine(center + QPointF(-half, half), center + QPointF(half, -half));
  } else if (state.kind == Kind::waiting) {
    painter.drawLine(center + QPointF(-half / 2, -half), center + QPointF(-half / 2, half));
    painter.drawLine(center + QPointF(half / 2, -half), center + QPointF(half / 2, half));
  } else {
    painter.drawEllipse(center, half, half);
  }

  QFont font = painter.font();
  const auto base = font;
  const QFontMetrics metrics(font);
  if (area.width() < 70 || area.height() < 2.2 * metrics.height()) return;
  painter.setPen(colors::faint);
  painter.drawText(area.adjusted(size + 16, 6, -8, -6), Qt::AlignLeft | Qt::AlignTop,
                   QString("%1,%2  %3").arg(tile.column).arg(tile.row).arg(tile.node));
  font.setPointSizeF(base.pointSizeF() * 1.25);
  font.setBold(true);
  painter.setFont(font);
  painter.setPen(colors::text);
  painter.drawText(area.adjusted(6, 0, -6, 0), Qt::AlignCenter,
                   QFontMetrics(font).elidedText(state.headline, Qt::ElideRight, static_cast<int>(area.width()) - 12));
  painter.setFont(base);
  painter.setPen(color);
  painter.drawText(area.adjusted(6, 0, -6, -8), Qt::AlignHCenter | Qt::AlignBottom,
                   metrics.elidedText(state.detail, Qt::ElideRight, static_cast<int>(area.width()) - 12));
}

bool WallView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  for (const auto& tile : history_.tiles()) {
    if (!rect_of(tile.column, tile.row).contains(help->pos())) continue;
    const auto late =
        tile.lateness_us_p99 ? tr("%1 ms").arg(*tile.lateness_us_p99 / 1000, 0, 'f', 2) : tr("not measured");
    QToolTip::showText(
        help->globalPos(),
        tr("Tile %1,%2 on node %3\n%4 frames due = %5 whole + %6 concealed + %7 not shown\n%8 late; lateness p99 %9")
            .arg(tile.column)
            .arg(tile.row)
            .arg(tile.node)
            .arg(tile.frames_due)
            .arg(tile.shown_whole)
            .arg(tile.shown_concealed)
            .arg(tile.not_shown)
            .arg(tile.late)
            .arg(late),
        this);
    return true;
  }
  QToolTip::hideText();
  return true;
}

}  // namespace lw
