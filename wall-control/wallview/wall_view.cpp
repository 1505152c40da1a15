#include "wall-control/wallview/wall_view.h"

#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_shape.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace lw {
namespace {

constexpr double silence_s = 1;  // of a node, as the server sees it
constexpr double margin = 6;
constexpr double picture_covered_max = 0.45;  // share of its height under text

State state_of_kind(WallView::TileState::Kind kind) {
  using Kind = WallView::TileState::Kind;
  switch (kind) {
    case Kind::playing:
      return State::ok;
    case Kind::trouble:
      return State::crit;
    case Kind::pattern:
    case Kind::waiting:
      return State::warn;
    case Kind::gone:
      break;
  }
  return State::off;
}

// The background of text on a preview.
QColor veil() {
  auto color = colors::panel;
  color.setAlpha(215);
  return color;
}

// "skew 0.05 ms" and so on, as many to a line as fit and no more lines than that; figures with an alarm come first.
QStringList wrapped(std::vector<ShownFigure> figures, const QFontMetrics& metrics, double width, int lines_max) {
  std::stable_partition(figures.begin(), figures.end(), [](const ShownFigure& figure) { return figure.alarming; });
  QStringList lines;
  for (const auto& figure : figures) {
    const auto words = QString("%1 %2").arg(figure.name, figure.value);
    const auto longer = lines.isEmpty() ? QString() : lines.back() + "   " + words;
    if (!longer.isEmpty() && metrics.horizontalAdvance(longer) <= width)
      lines.back() = longer;
    else
      lines << words;
  }
  return lines.mid(0, std::max(1, lines_max));
}

}  // namespace

WallView::WallView(const FlowHistory& history, const WallStatus& status, const TilePictures& pictures, QWidget* parent)
    : QWidget(parent), history_(history), status_(status), pictures_(pictures) {
  setAccessibleName(tr("The wall"));
  setToolTip(tr("Click or Enter: details of a tile. Arrow keys: another tile. Menu key: what can be done with it."));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
}

void WallView::set_wall(const WallInfo& wall) {
  columns_ = static_cast<int>(wall.columns);
  rows_ = static_cast<int>(wall.rows);
  tile_width_ = std::max(1, static_cast<int>(wall.tile_width));
  tile_height_ = std::max(1, static_cast<int>(wall.tile_height));
  bezel_x_ = static_cast<int>(wall.bezel_x);
  bezel_y_ = static_cast<int>(wall.bezel_y);
  if (selected() == nullptr) selected_.reset();
  scaled_.clear();
  update();
}

void WallView::set_connected(bool connected) {
  connected_ = connected;
  update();
}

void WallView::refresh() {
  QStringList words;
  if (const auto* tile = selected())
    words << tr("selected: tile %1,%2, %3").arg(tile->column).arg(tile->row).arg(state_of(*tile).headline);
  for (const auto& tile : history_.tiles())
    words << tr("tile %1,%2: %3").arg(tile.column).arg(tile.row).arg(state_of(tile).headline);
  setAccessibleDescription(words.join("; "));
  update();
}

WallView::TileState WallView::state_of(const TileRow& tile) const {
  using Kind = TileState::Kind;
  if (!connected_) return {Kind::gone, tr("unknown"), tr("not connected to the server")};
  if (!tile.connected)
    return {Kind::gone, tr("no node"), tr("%1 is not connected: is wall-client running there?").arg(tile.node)};
  const auto* node = status_.node(tile.node);
  if (node != nullptr && node->age_s.value_or(0) > silence_s)
    return {Kind::gone, tr("silent"), tr("%1 has not reported for %2 s").arg(tile.node).arg(*node->age_s, 0, 'f', 0)};
  const auto pattern = status_.overlay(tile.column, tile.row).pattern;
  if (pattern != "none") return {Kind::pattern, pattern_text(pattern), tr("a test pattern instead of the stream")};
  if (node != nullptr && node->clock_state == "waiting")
    return {Kind::waiting, tr("no clock"), tr("%1 waits for the server's clock").arg(tile.node)};
  if (!tile.receiving)
    return {Kind::waiting, tr("no stream"),
            tile.frame          ? tr("holds frame %1").arg(*tile.frame)
            : status_.stopped() ? tr("the server sends nothing: stopped")
                                : tr("no packets arrive")};
  const auto rate = tile.fps ? tr("%1 frame/s").arg(*tile.fps, 0, 'f', 1) : QString();
  if (tile.troubles > 0) return {Kind::trouble, tr("%1 frames in trouble").arg(tile.troubles), rate};
  return {Kind::playing, tile.frame ? tr("frame %1").arg(*tile.frame) : tr("playing"), rate};
}

QString WallView::no_picture_because(const TileRow& tile) const {
  const auto state = state_of(tile);
  if (state.kind == TileState::Kind::gone) return state.detail;
  if (pictures_.of(tile.column, tile.row) != nullptr) return {};
  if (state.kind == TileState::Kind::waiting && !tile.frame) return state.detail;
  return recorded_ ? tr("no pictures are recorded") : tr("no picture has come");
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

const TileRow* WallView::tile_at(const QPointF& place) const {
  const auto found = std::ranges::find_if(
      history_.tiles(), [&](const TileRow& tile) { return rect_of(tile.column, tile.row).contains(place); });
  return columns_ == 0 || found == history_.tiles().end() ? nullptr : &*found;
}

const TileRow* WallView::selected() const {
  return selected_ ? history_.tile(selected_->first, selected_->second) : nullptr;
}

void WallView::select(int column, int row) {
  if (history_.tile(column, row) == nullptr || selected_ == std::pair{column, row}) return;
  selected_ = {column, row};
  refresh();
  emit selected_changed();
}

void WallView::move_selection(int columns, int rows) {
  if (selected() == nullptr) return select(0, 0);
  select(std::clamp(selected_->first + columns, 0, columns_ - 1), std::clamp(selected_->second + rows, 0, rows_ - 1));
}

// The window has other uses for some of these keys; here they belong to the wall.
bool WallView::is_own_key(int key) const {
  switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return columns_ > 0;
    case Qt::Key_Escape:
      return selected() != nullptr;
    default:
      return false;
  }
}

void WallView::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers() & ~Qt::KeypadModifier || !is_own_key(event->key())) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return move_selection(-1, 0);
    case Qt::Key_Right:
      return move_selection(1, 0);
    case Qt::Key_Up:
      return move_selection(0, -1);
    case Qt::Key_Down:
      return move_selection(0, 1);
    case Qt::Key_Escape:
      selected_.reset();
      refresh();
      emit closed();
      return;
    default:
      if (selected() == nullptr) select(0, 0);
      emit opened();
  }
}

void WallView::mousePressEvent(QMouseEvent* event) {
  const auto* tile = tile_at(event->position());
  if (tile == nullptr) return QWidget::mousePressEvent(event);
  select(tile->column, tile->row);
  if (event->button() == Qt::LeftButton) emit opened();
}

void WallView::contextMenuEvent(QContextMenuEvent* event) {
  const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
  if (by_key && selected() == nullptr) select(0, 0);
  if (!by_key && tile_at(event->pos()) == nullptr) return;
  const auto* tile = selected();
  if (tile == nullptr) return;
  emit menu_wanted(by_key ? mapToGlobal(rect_of(tile->column, tile->row).center().toPoint()) : event->globalPos());
}

bool WallView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!(key->modifiers() & ~Qt::KeypadModifier) && is_own_key(key->key())) {
      event->accept();
      return true;
    }
  }
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto* tile = tile_at(help->pos()))
    QToolTip::showText(help->globalPos(), tool_tip(*tile), this);
  else
    QToolTip::hideText();
  return true;
}

QString WallView::tool_tip(const TileRow& tile) const {
  const auto state = state_of(tile);
  QStringList lines{tr("Tile %1,%2 on node %3: %4").arg(tile.column).arg(tile.row).arg(tile.node, state.headline)};
  if (!state.detail.isEmpty()) lines << state.detail;
  for (const auto& figure : figures_of_tile(history_, status_, tile))
    if (!figure.value.isEmpty()) lines << QString("%1: %2").arg(figure.name, figure.value);
  return lines.join('\n');
}

WallView::Detail WallView::detail_of(const QRectF& area) const {
  const double line = fontMetrics().height();
  if (area.width() < 3.5 * line || area.height() < 2.2 * line) return Detail::shape;
  if (area.width() < 7 * line || area.height() < 4 * line) return Detail::place;
  if (area.width() < 12 * line || area.height() < 7.5 * line) return Detail::state;
  return Detail::figures;
}

void WallView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  painter.fillRect(rect(), colors::panel);
  if (columns_ == 0) {
    painter.setPen(colors::text3);
    painter.drawText(rect().marginsRemoved({12, 12, 12, 12}), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("Connect to a server to see its wall.\n\nNone yet? Where the frames are:\n"
                        "wall-server --wall WALL.toml --content FOLDER\nand on each render node:\n"
                        "wall-client --wall WALL.toml --node NAME\n\nOr scripts/demo: a wall on this host."));
    return;
  }
  // The bezels are the background that shows between and around the tiles.
  const QRectF whole = rect_of(0, 0).united(rect_of(columns_ - 1, rows_ - 1)).adjusted(-6, -6, 6, 6);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor{0x05, 0x07, 0x0a});
  painter.drawRoundedRect(whole, 4, 4);
  for (const auto& tile : history_.tiles()) draw_tile(painter, tile);
  if (const auto* tile = selected()) draw_selection(painter, rect_of(tile->column, tile->row));
}

void WallView::draw_tile(QPainter& painter, const TileRow& tile) const {
  const auto area = rect_of(tile.column, tile.row);
  const auto state = state_of(tile);
  const auto detail = detail_of(area);
  painter.save();
  painter.setClipRect(area);
  painter.fillRect(area, colors::raised);
  draw_picture(painter, area, tile, detail);
  draw_top(painter, area, tile, state, detail);
  if (detail >= Detail::state) draw_bottom(painter, area, tile, state, detail);
  painter.restore();
  painter.setPen(QPen(color_of(state_of_kind(state.kind)), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(area.adjusted(1, 1, -1, -1));
}

// The wall is drawn more often than a tile gets a new preview.
const QImage& WallView::scaled(const TileRow& tile, const QImage& picture, QSize size) const {
  const auto ratio = devicePixelRatioF();
  auto& kept = scaled_[{tile.column, tile.row}];
  if (kept.key == picture.cacheKey() && kept.size == size && kept.image.devicePixelRatio() == ratio) return kept.image;
  kept = {picture.cacheKey(), size, picture.scaled(size * ratio, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)};
  kept.image.setDevicePixelRatio(ratio);
  return kept.image;
}

void WallView::draw_picture(QPainter& painter, const QRectF& area, const TileRow& tile, Detail detail) const {
  const auto reason = no_picture_because(tile);
  if (reason.isEmpty()) {
    const auto place = area.toRect();
    painter.drawImage(place.topLeft(), scaled(tile, *pictures_.of(tile.column, tile.row), place.size()));
    return;
  }
  if (detail < Detail::state) return;
  const double line = fontMetrics().height();
  painter.setPen(colors::text);
  painter.drawText(area.adjusted(margin, 1.4 * line, -margin, -1.4 * line), Qt::AlignCenter | Qt::TextWordWrap, reason);
}

void WallView::draw_top(QPainter& painter, const QRectF& area, const TileRow& tile, const TileState& state,
                        Detail detail) const {
  const QFontMetrics metrics(painter.font());
  const double line = metrics.height();
  const double size =
      detail == Detail::shape ? std::clamp(std::min(area.width(), area.height()) / 3, 5.0, 12.0) : 0.62 * line;
  auto words = QString("%1,%2").arg(tile.column).arg(tile.row);
  if (detail >= Detail::state) words += "  " + tile.node;
  const double strip = detail == Detail::shape ? size + 5 : line + 4;
  const double text_width = detail == Detail::shape ? 0 : metrics.horizontalAdvance(words) + margin;
  const double strip_width = detail >= Detail::state ? area.width() : std::min(area.width(), size + 10 + text_width);
  painter.fillRect(QRectF(area.left(), area.top(), strip_width, strip), veil());
  paint_state(painter, state_of_kind(state.kind), QRectF(area.left() + 5, area.top() + (strip - size) / 2, size, size));
  if (detail == Detail::shape) return;
  painter.setPen(colors::text);
  const QRectF box(area.left() + size + 11, area.top(), area.width() - size - 11 - margin, strip);
  painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(words, Qt::ElideRight, static_cast<int>(box.width())));
  const auto overlay = status_.overlay(tile.column, tile.row);
  if (detail < Detail::figures || (!overlay.identify && !overlay.mark)) return;
  QStringList over;
  if (overlay.identify) over << tr("identify");
  if (overlay.mark) over << tr("marks gaps");
  painter.setPen(colors::warn);
  painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, over.join(", "));
}

void WallView::draw_bottom(QPainter& painter, const QRectF& area, const TileRow& tile, const TileState& state,
                           Detail detail) const {
  const QFontMetrics metrics(painter.font());
  const double line = metrics.height();
  const double width = area.width() - 2 * margin;
  const bool tells_why = state.kind == TileState::Kind::gone || (state.kind == TileState::Kind::waiting && !tile.frame);
  auto headline = state.headline;
  if (detail >= Detail::figures && !tells_why && !state.detail.isEmpty())
    headline += QString::fromUtf8("  \u00b7  ") + state.detail;
  const auto figures = detail >= Detail::figures && state.kind != TileState::Kind::gone
                           ? wrapped(figures_on_tile(history_, status_, tile), metrics, width,
                                     static_cast<int>(area.height() * picture_covered_max / line) - 1)
                           : QStringList();
  const double height = line * static_cast<double>(1 + figures.size()) + 5;
  const QRectF strip(area.left(), area.bottom() - height, area.width(), height);
  painter.fillRect(strip, veil());
  QFont bold = painter.font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(state.kind == TileState::Kind::playing ? colors::text : color_of(state_of_kind(state.kind)));
  QRectF row(strip.left() + margin, strip.top() + 2, width, line);
  painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(bold).elidedText(headline, Qt::ElideRight, static_cast<int>(width)));
  bold.setBold(false);
  painter.setFont(bold);
  painter.setPen(colors::text);
  for (const auto& words : figures) {
    row.translate(0, line);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(words, Qt::ElideRight, static_cast<int>(width)));
  }
}

// Light over dark, so that it is visible on any content; dashed while the keyboard focus is elsewhere.
void WallView::draw_selection(QPainter& painter, const QRectF& area) const {
  const auto frame = area.adjusted(-2, -2, 2, 2);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::black, 5));
  painter.drawRect(frame);
  painter.setPen(QPen(Qt::white, 2.5, hasFocus() ? Qt::SolidLine : Qt::DashLine));
  painter.drawRect(frame);
}

}  // namespace lw
