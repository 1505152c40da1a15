#include "wall-control/present/audience_view.h"

#include "wall-control/messages/wall_shape.h"
#include "wall-control/present/audience_figures.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/type.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QScreen>
#include <QWindow>

#include <algorithm>
#include <numeric>

namespace lw {
namespace {

constexpr int refresh_ms = 400;
constexpr int hints_ms = 2000;
// In lines of a display of 1080.
constexpr double text_lines = 36, title_lines = 60, figure_lines = 80, unit_lines = 36;
constexpr double margin_lines = 104, title_top = 34, description_top = 110, wall_top = 195, wall_bottom = 840;
constexpr double figures_top = 878, about_top = 992, bar_lines = 6, line_height = 1.25;
constexpr double display_height = 1080, display_width = 1920;

const QColor ground_color = QColor::fromRgb(colors::audience);
const QColor tile_color = QColor::fromRgb(colors::audience_tile);
const QColor text_color = QColor::fromRgb(colors::audience_text);
const QColor text2_color = QColor::fromRgb(colors::audience_text2);

QString elided(const QPainter& painter, const QString& words, double width) {
  return QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, width);
}

}  // namespace

QScreen* audience_screen(QScreen* operators) {
  for (auto* screen : QGuiApplication::screens())
    if (screen != operators) return screen;
  return operators;
}

AudienceView::AudienceView(ControlLink& link, AudienceModels models)
    : QWidget(nullptr, Qt::Window), link_(link), models_(std::move(models)) {
  setWindowTitle(tr("Audience view"));
  setObjectName("audience");
  setAccessibleName(tr("Audience view"));
  setAttribute(Qt::WA_OpaquePaintEvent);
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  refresh_.setInterval(refresh_ms);
  connect(&refresh_, &QTimer::timeout, this, &AudienceView::refresh);
  hints_.setSingleShot(true);
  hints_.setInterval(hints_ms);
  connect(&hints_, &QTimer::timeout, this, &AudienceView::hide_hints);
  connect(&models_.previews, &TilePreviews::changed, this, [this] { update(wall_place().toAlignedRect()); });
}

void AudienceView::open(QScreen* operators) {
  auto* screen = audience_screen(operators);
  create();
  if (screen != nullptr) {
    windowHandle()->setScreen(screen);
    setGeometry(screen->geometry());
  }
  showFullScreen();
  raise();
  activateWindow();
}

void AudienceView::set_wall(const WallInfo& wall) {
  wall_ = wall;
  state_ = {};
  entries_.clear();
  want_previews();
  update();
}

void AudienceView::set_state(const StateMessage& state) {
  const bool other = state.name != state_.name || state.status != state_.status;
  state_ = state;
  entries_.take(state);
  if (other) update();
}

void AudienceView::forget() {
  state_ = {};
  entries_.clear();
  update();
}

bool AudienceView::plays() const { return state_.status != PlayStatus::stopped && state_.name; }

void AudienceView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_F11:
      close();
      return;
    case Qt::Key_PageDown:
    case Qt::Key_N:
      link_.call("next");
      return;
    case Qt::Key_PageUp:
      return go_back();
    case Qt::Key_B:
    case Qt::Key_Period:  // some clickers send it for black
      return toggle_black();
    default:
      QWidget::keyPressEvent(event);
  }
}

void AudienceView::go_back() {
  const auto playlist = entries_.back();
  if (!playlist) return;
  link_.call("playlist", *playlist, [this](const QJsonValue&, const QString& error) {
    if (!error.isEmpty()) return;
    entries_.went_back();
    link_.call("next");
  });
}

void AudienceView::toggle_black() {
  const auto& tiles = models_.history.tiles();
  const bool black = !tiles.empty() && std::ranges::all_of(tiles, [this](const TileRow& tile) {
    return models_.status.overlay(tile.column, tile.row).pattern == "black";
  });
  link_.call("pattern", {{"pattern", black ? "none" : "black"}});
}

void AudienceView::mouseMoveEvent(QMouseEvent*) { show_hints(); }

void AudienceView::show_hints() {
  const bool hidden = !hints_.isActive();
  hints_.start();
  if (!hidden) return;
  unsetCursor();
  update();
}

void AudienceView::hide_hints() {
  setCursor(Qt::BlankCursor);
  update();
}

void AudienceView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh_.start();
  show_hints();
  refresh();
}

void AudienceView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  want_previews();
}

void AudienceView::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  want_previews();
  refresh_.stop();
  hints_.stop();
}

void AudienceView::closeEvent(QCloseEvent* event) {
  QWidget::closeEvent(event);
  emit closed();
}

double AudienceView::unit() const { return std::min(height() / display_height, width() / display_width); }

QFont AudienceView::font_of(double lines, bool strong) const {
  QFont font = QApplication::font();
  font.setPixelSize(std::max(1, static_cast<int>(lines * unit())));
  font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
  return font;
}

QRectF AudienceView::frame() const {
  const double margin = margin_lines * unit();
  return QRectF(rect()).adjusted(margin, 0, -margin, 0);
}

QRectF AudienceView::wall_place() const {
  const double grow = height() / display_height;
  const QRectF place(frame().left(), wall_top * grow, frame().width(), (wall_bottom - wall_top) * grow);
  const auto picture = extent_of(wall_);
  if (picture.width() <= 0 || picture.height() <= 0) return {};
  QRectF wall(QPointF(), picture.scaled(place.size(), Qt::KeepAspectRatio));
  wall.moveCenter(place.center());
  return wall;
}

QRect AudienceView::tile_place(const QRectF& wall, const TileRow& tile) const {
  const double scale = wall.width() / extent_of(wall_).width();
  const auto on_wall = place_on(wall_, tile.column, tile.row);
  return QRectF(wall.topLeft() + on_wall.topLeft() * scale, on_wall.size() * scale).toRect();
}

// None while it is hidden: scaling takes time.
void AudienceView::want_previews() {
  TilePreviews::Sizes sizes;
  const auto place = wall_place();
  if (isVisible() && !place.isEmpty())
    for (const auto& tile : models_.history.tiles())
      sizes[{tile.column, tile.row}] = (QSizeF(tile_place(place, tile).size()) * devicePixelRatioF()).toSize();
  models_.previews.set_sizes(TilePreviews::Use::audience, std::move(sizes));
}

void AudienceView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), ground_color);
  if (plays()) {
    draw_title(painter);
    draw_wall(painter);
    draw_figures(painter);
    draw_progress(painter);
  } else {
    draw_idle(painter);
  }
  if (hints_.isActive()) draw_hints(painter);
}

void AudienceView::draw_idle(QPainter& painter) const {
  painter.setFont(font_of(title_lines, true));
  painter.setPen(text2_color);
  painter.drawText(frame(), Qt::AlignCenter, elided(painter, QString::fromStdString(wall_.name), frame().width()));
}

void AudienceView::draw_title(QPainter& painter) const {
  const double u = unit();
  const auto name = QString::fromStdString(state_.name.value_or(""));
  const bool repairs = repair_.displays > 0;
  const auto right = !repairs                ? QString::fromStdString(wall_.name)
                     : repair_.displays == 1 ? tr("Repairing one display")
                                             : tr("Repairing %1 displays").arg(repair_.displays);
  const auto box = [&](double top, double lines) {
    return QRectF(frame().left(), top * u, frame().width(), lines * line_height * u);
  };
  painter.setFont(font_of(text_lines, false));
  painter.setPen(text2_color);
  const auto right_box = box(title_top + (title_lines - text_lines) / 2 * line_height, text_lines);
  const auto right_words = elided(painter, right, frame().width() / 2);
  const double sign = repairs ? text_lines * u : 0;
  const double right_width = QFontMetricsF(painter.font()).horizontalAdvance(right_words) + 1.5 * sign;
  painter.drawText(right_box, Qt::AlignRight | Qt::AlignVCenter, right_words);
  if (repairs) {
    const QRectF place(right_box.right() - right_width, right_box.center().y() - sign * 0.4, sign * 0.8, sign * 0.8);
    icon(Icon::refresh, text2_color).paint(&painter, place.toAlignedRect());
  }
  painter.drawText(box(description_top, text_lines), Qt::AlignLeft | Qt::AlignVCenter,
                   elided(painter, models_.description_of(name), frame().width()));
  painter.setFont(font_of(title_lines, true));
  painter.setPen(text_color);
  painter.drawText(box(title_top, title_lines), Qt::AlignLeft | Qt::AlignVCenter,
                   elided(painter, models_.title_of(name), frame().width() - right_width - text_lines * u));
}

void AudienceView::draw_wall(QPainter& painter) const {
  const auto place = wall_place();
  if (place.isEmpty()) return;
  for (const auto& tile : models_.history.tiles()) {
    const auto area = tile_place(place, tile);
    if (const auto* preview = models_.previews.scaled(TilePreviews::Use::audience, tile.column, tile.row))
      painter.drawImage(area, *preview);
    else
      painter.fillRect(area, tile_color);
  }
}

// Spread over the width.
void AudienceView::draw_figures(QPainter& painter) const {
  if (figures_.empty()) return;
  const double u = unit();
  const double grow = height() / display_height;
  const auto value_font = font_of(figure_lines, true);
  const auto unit_font = font_of(unit_lines, false);
  const QFontMetricsF unit_metrics(unit_font);
  const double gap = unit_lines / 2.5 * u;
  std::vector<double> widths;
  for (const auto& figure : figures_)
    widths.push_back(
        std::max(type::figure_width(value_font, figure.value) + gap + unit_metrics.horizontalAdvance(figure.unit),
                 unit_metrics.horizontalAdvance(figure.about)));
  const double used = std::accumulate(widths.begin(), widths.end(), 0.0);
  const double between =
      figures_.size() > 1 ? std::max(0.0, frame().width() - used) / static_cast<double>(figures_.size() - 1) : 0;
  double left = frame().left();
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    const QRectF line(left, figures_top * grow, widths[i], figure_lines * line_height * u);
    painter.setFont(value_font);
    painter.setPen(text_color);
    const double advance = type::paint_figure(painter, line, Qt::AlignLeft | Qt::AlignVCenter, figures_[i].value);
    const double baseline =
        line.center().y() + (QFontMetricsF(value_font).ascent() - QFontMetricsF(value_font).descent()) / 2;
    painter.setFont(unit_font);
    painter.drawText(QPointF(left + advance + gap, baseline), figures_[i].unit);
    painter.setPen(text2_color);
    painter.drawText(QRectF(left, about_top * grow, widths[i], text_lines * line_height * u),
                     Qt::AlignLeft | Qt::AlignVCenter, figures_[i].about);
    left += widths[i] + between;
  }
}

void AudienceView::draw_progress(QPainter& painter) const {
  const double frames = state_.frames.value_or(0);
  if (frames < 1) return;
  // States are rarer than the frames of `stats`.
  const double frame = models_.history.wall().frame.value_or(static_cast<int>(state_.frame.value_or(0)));
  const double high = std::max(2.0, bar_lines * unit());
  const QRectF bar(0, height() - high, width(), high);
  painter.fillRect(bar, tile_color);
  painter.fillRect(QRectF(bar.left(), bar.top(), bar.width() * std::min(1.0, (frame + 1) / frames), high), text_color);
}

void AudienceView::draw_hints(QPainter& painter) const {
  const auto words = tr("Page Down next   \u00b7   Page Up previous   \u00b7   B black   \u00b7   Esc close");
  painter.setFont(font_of(text_lines * 0.75, false));
  const QFontMetricsF metrics(painter.font());
  const double pad = text_lines * unit() / 2;
  QRectF place(0, 0, metrics.horizontalAdvance(words) + 2 * pad, metrics.height() + pad);
  place.moveCenter(QPointF(rect().center()));
  place.moveBottom(height() - 3 * bar_lines * unit());
  painter.fillRect(place, tile_color);
  painter.setPen(text2_color);
  painter.drawText(place, Qt::AlignCenter, words);
}

void AudienceView::refresh() {
  want_previews();
  repair_ = repair_of(models_.history);
  figures_ = audience_figures(wall_, models_.history, repair_);
  QStringList words;
  if (plays()) words << models_.title_of(QString::fromStdString(*state_.name));
  for (const auto& figure : figures_) words << QString("%1 %2 %3").arg(figure.value, figure.unit, figure.about);
  if (const auto all = words.join("; "); all != accessibleDescription()) setAccessibleDescription(all);
  update();
}

}  // namespace lw
