#include "wall-control/wallview/wall_view.h"

#include "wall-control/ui/counts.h"
#include "wall-control/ui/type.h"
#include "wall-control/wallview/tile_face.h"
#include "wall-control/wallview/tile_words.h"
#include "wall-control/wallview/wall_access.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int repaint_after_ms = 100;  // previews come one by one
constexpr double wheel_zoom = 1.25;    // of a step of the wheel
constexpr double pan_step = 60;
constexpr int bracket_height = 22, bracket_distance = 6;

int severity_of(State state) {
  switch (state) {
    case State::crit:
      return 0;
    case State::warn:
      return 1;
    case State::off:
      return 2;
    case State::ok:
    case State::note:
      break;
  }
  return 3;
}

}  // namespace

WallView::WallView(const FlowHistory& history, const WallStatus& status, const Health& health, Focus& focus,
                   TilePreviews& previews, QWidget* parent)
    : QWidget(parent),
      history_(history),
      status_(status),
      health_(health),
      focus_(focus),
      previews_(previews),
      refreshed_([this] { take_figures(); }) {
  make_canvas_accessible();
  setAccessibleName(tr("Wall"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  repaint_soon_.setSingleShot(true);
  repaint_soon_.setInterval(repaint_after_ms);
  connect(&repaint_soon_, &QTimer::timeout, this, [this] { update(std::exchange(changed_, {})); });
  connect(&previews_, &TilePreviews::changed, this, &WallView::preview_changed);
  connect(&previews_, &TilePreviews::cleared, this, &WallView::repaint_all);
  connect(&focus_, &Focus::changed, this, &WallView::focus_moved);
}

void WallView::set_wall(const WallInfo& wall) {
  geometry_.set_wall(wall);
  groups_ = node_groups(history_);
  hovered_.reset();
  arrange();
  refreshed_.now();
  lay_out();
  emit zoom_changed();
}

void WallView::set_grouped(bool grouped) {
  if (grouped == std::exchange(grouped_, grouped)) return;
  arrange();
  lay_out();
  emit zoom_changed();
}

void WallView::arrange() {
  std::vector<WallGeometry::Block> blocks;
  for (const auto& group : groups_)
    if (grouped_) blocks.push_back(group.places);
  geometry_.set_blocks(std::move(blocks), type::scaled(bracket_height) + bracket_distance);
}

void WallView::set_overlay(Overlay overlay) {
  overlay_ = overlay;
  view_changed();
}

void WallView::repaint_all() {
  board_ = {};
  update();
}

void WallView::take_figures() {
  const auto& tiles = history_.tiles();
  const bool other_tiles = faces_.size() != tiles.size();
  if (other_tiles) {
    faces_.assign(tiles.size(), {});
    face_at_.assign(static_cast<std::size_t>(geometry_.columns() * geometry_.rows()), -1);
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const auto at = static_cast<std::size_t>(tiles[i].row * geometry_.columns() + tiles[i].column);
      if (at < face_at_.size()) face_at_[at] = static_cast<int>(i);
    }
    repaint_all();
  }
  bool states_changed = other_tiles;
  QRegion dirty;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const auto& tile = tiles[i];
    Face face{health_.of(tile), line_of(tile), previews_.of(tile.column, tile.row) != nullptr};
    const bool changed = face.health.state != faces_[i].health.state || face.health.badge != faces_[i].health.badge;
    const bool redrawn = changed || face.has_preview != faces_[i].has_preview || face.line != faces_[i].line;
    states_changed |= changed;
    faces_[i] = std::move(face);
    if (!redrawn) continue;
    put_on_board(i);
    dirty += area_of({tile.column, tile.row});
    if (!faces_[i].line.isEmpty()) dirty += line_area(geometry_.tile_pixels(tile.column, tile.row));
  }
  if (states_changed) {
    find_problems();
    put_brackets_on_board();
    for (const auto& group : groups_)
      if (has_bracket(group)) dirty += bracket_area(group);
    if (geometry_.zoomed()) dirty += map_.area();
  }
  if (!dirty.isEmpty()) update(dirty);
  if (underMouse()) hover(mapFromGlobal(QCursor::pos()));
}

void WallView::find_problems() {
  problems_.clear();
  const auto& tiles = history_.tiles();
  for (std::size_t i = 0; i < tiles.size(); ++i)
    if (severity_of(faces_[i].health.state) < severity_of(State::ok)) problems_.push_back(i);
  const auto rank = [&](std::size_t i) {
    return std::tuple{severity_of(faces_[i].health.state), -tiles[i].troubles, tiles[i].row, tiles[i].column};
  };
  std::ranges::sort(problems_, {}, rank);
  describe();
  emit problems_changed();
}

// The tiles have their own descriptions.
void WallView::describe() {
  const auto tiles = static_cast<int>(history_.tiles().size());
  setAccessibleDescription(
      tr("%1 of %2 healthy").arg(tiles - static_cast<int>(problems_.size())).arg(counts::tiles(tiles)));
}

std::vector<const TileRow*> WallView::problems() const {
  std::vector<const TileRow*> tiles;
  if (!has_faces()) return tiles;
  for (const auto index : problems_) tiles.push_back(&history_.tiles()[index]);
  return tiles;
}

void WallView::go_to_problem(int steps) {
  const auto tiles = problems();
  if (tiles.empty()) return;
  const auto count = static_cast<int>(tiles.size());
  const auto found = std::ranges::find(tiles, selected());
  int next = steps > 0 ? 0 : count - 1;
  if (found != tiles.end()) next = (static_cast<int>(found - tiles.begin()) + steps + count) % count;
  const auto* tile = tiles[static_cast<std::size_t>(next)];
  select(tile->column, tile->row);
}

QString WallView::words_of(int column, int row) const {
  const auto* tile = history_.tile(column, row);
  return tile == nullptr ? QString() : words_of_tile(status_, health_.of(*tile), *tile);
}

// Rulers above and at the left, brackets below; grouped tiles have brackets only, within the port.
void WallView::lay_out() {
  const bool has_brackets = !grouped_ && !geometry_.is_free() && std::ranges::any_of(groups_, &NodeGroup::alone);
  const int top = type::scaled(grouped_ ? 8 : 20);
  const int side = type::scaled(grouped_ ? 8 : 30);
  const int bottom = type::scaled(has_brackets ? 26 : grouped_ ? 4 : 12);
  geometry_.set_port(QRectF(rect()).adjusted(side, top, -side, -bottom));
  view_changed();
}

void WallView::view_changed() {
  want_sizes();
  for (std::size_t i = 0; has_faces() && i < faces_.size(); ++i) faces_[i].line = line_of(history_.tiles()[i]);
  focused_ = focus_area();
  if (geometry_.zoomed()) {
    map_.place(geometry_);
    for (const auto& tile : history_.tiles())
      map_.put(geometry_, tile.column, tile.row, previews_.scaled(TilePreviews::Use::canvas, tile.column, tile.row));
  }
  repaint_all();
}

void WallView::want_sizes() {
  TilePreviews::Sizes sizes;
  const auto ratio = devicePixelRatioF();
  // A tile out of view needs no more than its place in the minimap.
  constexpr int small = 48;
  const auto port = geometry_.port().toAlignedRect();
  for (const auto& tile : history_.tiles()) {
    const auto place = geometry_.tile_pixels(tile.column, tile.row);
    const bool seen = place.intersects(port);
    sizes[{tile.column, tile.row}] = seen ? (QSizeF(place.size()) * ratio).toSize() : QSize(small, small);
  }
  previews_.set_sizes(TilePreviews::Use::canvas, std::move(sizes));
}

void WallView::preview_changed(int column, int row) {
  const auto at = static_cast<std::size_t>(row * geometry_.columns() + column);
  if (column >= geometry_.columns() || at >= face_at_.size() || face_at_[at] < 0 || !has_faces()) return;
  put_on_board(static_cast<std::size_t>(face_at_[at]));
  if (geometry_.zoomed()) {
    map_.put(geometry_, column, row, previews_.scaled(TilePreviews::Use::canvas, column, row));
    changed_ += map_.area();
  }
  changed_ += geometry_.tile_pixels(column, row).intersected(geometry_.port().toAlignedRect());
  if (!repaint_soon_.isActive()) repaint_soon_.start();
}

void WallView::focus_moved() {
  const auto* current = selected();
  if (current == nullptr) anchor_.reset();
  if (current != nullptr && focus_.part().others.empty()) anchor_ = Place{current->column, current->row};
  if (const auto* tile = selected(); tile != nullptr && geometry_.zoomed()) {
    geometry_.bring_into_view(QRectF(area_of({tile->column, tile->row})));
    view_changed();
  }
  put_brackets_on_board();
  auto dirty = std::exchange(focused_, focus_area());
  dirty += focused_;
  for (const auto& group : groups_)
    if (has_bracket(group)) dirty += bracket_area(group);
  update(dirty);
  if (selected() == nullptr || !QAccessible::isActive()) return;
  QAccessibleEvent moved(this, QAccessible::Selection);
  moved.setChild(selected()->row * geometry_.columns() + selected()->column);
  QAccessible::updateAccessibility(&moved);
}

void WallView::resizeEvent(QResizeEvent*) { lay_out(); }

void WallView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool themed = event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange;
  if (themed || event->type() == QEvent::FontChange) lay_out();
}

const TileRow* WallView::selected() const {
  const auto& part = focus_.part();
  return part.column && part.row ? history_.tile(*part.column, *part.row) : nullptr;
}

void WallView::select(int column, int row) {
  if (history_.tile(column, row) != nullptr) focus_.show({column, row, {}, {}});
}

bool WallView::is_selected(int column, int row) const {
  const auto& part = focus_.part();
  return part.column && part.has_tile(column, row);
}

void WallView::move_selection(int columns, int rows) {
  const auto* tile = selected();
  if (tile == nullptr) return select(0, 0);
  const auto [column, row] = geometry_.beside({tile->column, tile->row}, columns, rows);
  select(column, row);
}

void WallView::extend_selection(Place to) {
  to = {std::clamp(to.first, 0, geometry_.columns() - 1), std::clamp(to.second, 0, geometry_.rows() - 1)};
  const auto [column, row] = anchor_.value_or(to);
  Focus::Tiles block{to};
  if (geometry_.is_free()) {
    const auto around = geometry_.tile_rect(column, row) | geometry_.tile_rect(to.first, to.second);
    for (const auto& tile : history_.tiles())
      if (around.intersects(geometry_.tile_rect(tile.column, tile.row))) block.emplace_back(tile.column, tile.row);
    return focus_.show_tiles(block);
  }
  for (int y = std::min(row, to.second); y <= std::max(row, to.second); ++y)
    for (int x = std::min(column, to.first); x <= std::max(column, to.first); ++x) block.emplace_back(x, y);
  focus_.show_tiles(block);
}

void WallView::stretch_band(const QPointF& to) {
  const auto outline = [](const QRect& band) { return QRegion(band) - QRegion(band.adjusted(2, 2, -2, -2)); };
  QRegion dirty;
  if (band_) dirty += outline(*band_);
  band_ = QRectF(*pressed_at_, to).normalized().toAlignedRect();
  update(dirty + outline(*band_));
}

// The tile where the band began is the current one.
void WallView::select_band(bool add) {
  Focus::Tiles tiles;
  if (const auto first = geometry_.tile_at(*pressed_at_)) tiles.push_back(*first);
  for (const auto& tile : history_.tiles())
    if (geometry_.tile_pixels(tile.column, tile.row).intersects(*band_)) tiles.emplace_back(tile.column, tile.row);
  if (add) std::ranges::copy(selection(), std::back_inserter(tiles));
  update(*std::exchange(band_, std::nullopt));
  focus_.show_tiles(tiles);
}

void WallView::zoom(double factor) {
  geometry_.zoom_about(geometry_.port().center(), factor);
  view_changed();
  emit zoom_changed();
}

void WallView::fit() {
  geometry_.fit();
  view_changed();
  emit zoom_changed();
}

QRect WallView::area_of(Place place) const {
  return tile_face::painted_area(geometry_.tile_pixels(place.first, place.second));
}

QRectF WallView::block_of(const NodeGroup& group) const {
  if (grouped_) return geometry_.block_rect(static_cast<std::size_t>(&group - groups_.data()));
  if (!geometry_.is_free()) return geometry_.cells_rect(group.cells);
  QRectF around;
  for (const auto& [column, row] : group.places) around |= geometry_.tile_rect(column, row);
  return around;
}

QRect WallView::bracket_area(const NodeGroup& group) const {
  const auto block = block_of(group);
  const double top = grouped_ ? block.bottom() + bracket_distance : geometry_.plate().bottom();
  return QRectF(block.left(), top, block.width(), type::scaled(bracket_height)).toAlignedRect();
}

const NodeGroup* WallView::bracket_at(const QPointF& place) const {
  for (const auto& group : groups_)
    if (has_bracket(group) && bracket_area(group).contains(place.toPoint())) return &group;
  return nullptr;
}

State WallView::state_of(const NodeGroup& group) const {
  State worst = State::off;
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    if (history_.tiles()[i].node != group.name) continue;
    const auto state = faces_[i].health.state;
    // A node that shows nothing at all is off; otherwise its tiles that show something decide.
    if (state != State::off && (worst == State::off || severity_of(state) < severity_of(worst))) worst = state;
  }
  return worst;
}

QString WallView::words_at(const QPointF& place) const {
  if (const auto tile = geometry_.tile_at(place)) {
    const auto words = words_of(tile->first, tile->second);
    const bool no_preview = recorded_ && previews_.of(tile->first, tile->second) == nullptr;
    return no_preview ? tr("%1 (a recording has no previews)").arg(words) : words;
  }
  const auto* group = bracket_at(place);
  if (group == nullptr) return {};
  return tr("Node %1: %2, %3").arg(group->name, counts::tiles(group->tiles), counts::flows(group->flows));
}

void WallView::hover(const QPointF& place) {
  const auto tile = geometry_.tile_at(place);
  if (tile != hovered_) {
    if (hovered_) update(area_of(*hovered_));
    hovered_ = tile;
    if (hovered_) update(area_of(*hovered_));
  }
  const auto words = words_at(place);
  if (words == hover_words_) return;
  hover_words_ = words;
  emit hovered(words);
}

void WallView::leaveEvent(QEvent*) { hover({-1, -1}); }

void WallView::mousePressEvent(QMouseEvent* event) {
  const auto place = event->position();
  if (event->button() == Qt::MiddleButton) {
    panned_from_ = place;
    return;
  }
  if (geometry_.zoomed() && map_.area().contains(place.toPoint())) {
    map_held_ = true;
    geometry_.center_on(map_.to_wall(geometry_, place));
    return view_changed();
  }
  if (event->button() == Qt::LeftButton) pressed_at_ = place;
  if (const auto tile = geometry_.tile_at(place)) return press_tile(*tile, *event);
  if (const auto* group = bracket_at(place)) return focus_.show({{}, {}, {}, group->name});
  QWidget::mousePressEvent(event);
}

void WallView::press_tile(Place tile, const QMouseEvent& event) {
  const auto [column, row] = tile;
  // The menu is about all that is selected.
  if (event.button() == Qt::RightButton && is_selected(column, row)) return;
  if (event.modifiers() & Qt::ShiftModifier) return extend_selection(tile);
  if ((event.modifiers() & Qt::ControlModifier) == 0) return select(column, row);
  focus_.toggle_tile(column, row);
  if (is_selected(column, row)) anchor_ = tile;
}

void WallView::mouseMoveEvent(QMouseEvent* event) {
  const auto place = event->position();
  const bool dragged = pressed_at_ && (place - *pressed_at_).manhattanLength() >= QApplication::startDragDistance();
  if (band_ || dragged) {
    stretch_band(place);
  } else if (map_held_) {
    geometry_.center_on(map_.to_wall(geometry_, place));
    view_changed();
  } else if (panned_from_) {
    geometry_.pan(place - *std::exchange(panned_from_, place));
    view_changed();
  } else {
    hover(place);
  }
}

void WallView::mouseReleaseEvent(QMouseEvent* event) {
  if (band_) select_band(event->modifiers() & Qt::ControlModifier);
  pressed_at_.reset();
  panned_from_.reset();
  map_held_ = false;
}

void WallView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && geometry_.tile_at(event->position())) emit opened();
}

void WallView::wheelEvent(QWheelEvent* event) {
  const auto steps = QPointF(event->angleDelta()) / QWheelEvent::DefaultDeltasPerStep;
  if (event->modifiers() & Qt::ControlModifier) {
    geometry_.zoom_about(event->position(), std::pow(wheel_zoom, steps.y()));
    emit zoom_changed();
  } else if (geometry_.zoomed()) {
    geometry_.pan(steps * pan_step);
  } else {
    return event->ignore();
  }
  view_changed();
  hover(event->position());
}

// Arrows alone belong to the transport.
bool WallView::is_own_key(const QKeyEvent& key) const {
  if (geometry_.empty()) return false;
  const auto modifiers = key.modifiers() & ~Qt::KeypadModifier;
  switch (key.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
      return modifiers == Qt::ControlModifier || modifiers == Qt::ShiftModifier ||
             (modifiers == Qt::AltModifier && geometry_.zoomed());
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return modifiers == Qt::NoModifier;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
      return modifiers == Qt::NoModifier && focus_.part() != Part{};
    default:
      return false;
  }
}

void WallView::keyPressEvent(QKeyEvent* event) {
  if (!is_own_key(*event)) return QWidget::keyPressEvent(event);
  const auto arrow = [&](int columns, int rows) {
    if (event->modifiers() & Qt::ControlModifier) return move_selection(columns, rows);
    if (event->modifiers() & Qt::ShiftModifier) {
      const auto* tile = selected();
      return tile == nullptr ? select(0, 0)
                             : extend_selection(geometry_.beside({tile->column, tile->row}, columns, rows));
    }
    geometry_.pan(QPointF(columns, rows) * -pan_step);
    view_changed();
  };
  switch (event->key()) {
    case Qt::Key_Left:
      return arrow(-1, 0);
    case Qt::Key_Right:
      return arrow(1, 0);
    case Qt::Key_Up:
      return arrow(0, -1);
    case Qt::Key_Down:
      return arrow(0, 1);
    case Qt::Key_Escape:
      return focus_.show({});
    case Qt::Key_Backspace:
      return focus_.up();
    default:
      emit opened();
  }
}

void WallView::focusInEvent(QFocusEvent* event) {
  shows_keyboard_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  update();
}

void WallView::focusOutEvent(QFocusEvent*) {
  shows_keyboard_ = false;
  update();
}

void WallView::contextMenuEvent(QContextMenuEvent* event) {
  const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
  if (by_key && selected() == nullptr) select(0, 0);
  if (!by_key && !geometry_.tile_at(event->pos())) return;
  const auto* tile = selected();
  if (tile == nullptr) return;
  emit menu_wanted(by_key ? mapToGlobal(rect_of(tile->column, tile->row).center().toPoint()) : event->globalPos());
}

bool WallView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && is_own_key(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QWidget::event(event);
}

QImage WallView::image() const {
  const QImage* first = nullptr;
  for (const auto& tile : history_.tiles())
    if (first == nullptr) first = previews_.of(tile.column, tile.row);
  if (first == nullptr) return {};
  auto geometry = geometry_;
  geometry.set_blocks({}, 0);  // the wall as it is
  geometry.set_port(QRectF(QPointF(), geometry.wall_size()));
  // As large as the previews are, on average.
  const auto tile = geometry.tile_rect(0, 0);
  const double scale = first->width() / tile.width();
  const auto wall = geometry.wall_rect();
  QImage made((wall.size() * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
  made.fill(Qt::black);
  QPainter painter(&made);
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  for (const auto& row : history_.tiles()) {
    const auto place = geometry.tile_rect(row.column, row.row).translated(-wall.topLeft());
    if (const auto* preview = previews_.of(row.column, row.row))
      painter.drawImage(QRectF(place.topLeft() * scale, place.size() * scale), *preview);
  }
  return made;
}

}  // namespace lw
