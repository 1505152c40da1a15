#include "wall-control/library/library_delegate.h"

#include "wall-control/models/library_model.h"
#include "wall-control/models/media_time.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_shape.h"
#include "wall-control/ui/two_lines.h"
#include "wall-control/ui/type.h"

#include <QPainter>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int card_margin = 5;
constexpr int row_poster_width = 116;
constexpr int row_lines = 4;
constexpr int badge_padding = 5;
constexpr int badge_sign = 11;  // in a badge

QFont title_font() { return type::sized(13, true); }
QFont figures_font() { return type::sized(12); }
QFont badge_font() { return type::sized(11, true); }
int height_of(const QFont& font) { return QFontMetrics(font).height(); }

const LibraryModel* model_of(const QModelIndex& index, QModelIndex& source) {
  const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(index.model());
  source = proxy != nullptr ? proxy->mapToSource(index) : index;
  return qobject_cast<const LibraryModel*>(source.model());
}

// Fills the place; the image is cut off at both sides if it has another shape.
void draw_picture(QPainter& painter, const QRect& place, const QPixmap& pixmap, const QRectF& part) {
  painter.fillRect(place, colors::well);
  if (pixmap.isNull()) return;
  const auto size = QSizeF(place.size()).scaled(part.size(), Qt::KeepAspectRatio);
  painter.drawPixmap(QRectF(place), pixmap,
                     QRectF(part.left() + (part.width() - size.width()) / 2,
                            part.top() + (part.height() - size.height()) / 2, size.width(), size.height()));
}

// The ground of a text over an image.
QRect draw_badge(QPainter& painter, const QPoint& bottom_left, int width) {
  const QRect place(bottom_left.x(), bottom_left.y() - height_of(badge_font()) - 3, width, height_of(badge_font()) + 4);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(QColor::fromRgba(colors::badge_on_wall));
  painter.drawRoundedRect(place, 3, 3);
  painter.setRenderHint(QPainter::Antialiasing, false);
  return place;
}

void draw_badge_text(QPainter& painter, const QRect& poster, const std::function<void(const QRectF&)>& draw_sign,
                     const QString& text) {
  const QFontMetrics metrics(badge_font());
  const int room = poster.width() - 2 * card_margin - 3 * badge_padding - badge_sign;
  const auto words = metrics.elidedText(text, Qt::ElideRight, room);
  const auto place = draw_badge(painter, poster.bottomLeft() + QPoint(card_margin - 2, 2 - card_margin),
                                metrics.horizontalAdvance(words) + 3 * badge_padding + badge_sign);
  draw_sign(QRectF(place.left() + badge_padding, place.center().y() - badge_sign / 2.0 + 0.5, badge_sign, badge_sign));
  painter.setFont(badge_font());
  painter.setPen(Qt::white);
  painter.drawText(place.adjusted(2 * badge_padding + badge_sign, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
}

void draw_import(QPainter& painter, const QRect& poster, int percent) {
  auto shade = QColor::fromRgba(colors::badge_on_wall);
  painter.fillRect(poster, shade);
  painter.setFont(badge_font());
  painter.setPen(Qt::white);
  painter.drawText(poster.adjusted(card_margin, 0, -card_margin, -poster.height() / 3),
                   Qt::AlignLeft | Qt::AlignVCenter, LibraryDelegate::tr("Importing %1 %").arg(percent));
  const QRect bar(poster.left() + card_margin, poster.bottom() - poster.height() / 4, poster.width() - 2 * card_margin,
                  3);
  painter.fillRect(bar, QColor(255, 255, 255, 70));
  painter.fillRect(QRect(bar.topLeft(), QSize(bar.width() * percent / 100, bar.height())),
                   QColor(colors::theme() == Theme::light ? QRgb(0xff86a5ff) : colors::accent.rgb()));
}

void draw_strip(QPainter& painter, const QRect& place, const VisualizationRow& row, double position) {
  const double width = static_cast<double>(row.strip.width()) / row.thumbnails;
  const int number = std::clamp(static_cast<int>(position * row.thumbnails), 0, row.thumbnails - 1);
  draw_picture(painter, place, row.strip, QRectF(number * width, 0, width, row.strip.height()));
  const int x = place.left() + static_cast<int>(position * (place.width() - 2));
  painter.fillRect(QRect(x, place.top(), 2, place.height()), Qt::white);
  const auto time = media_time(position * row.seconds).chopped(row.seconds < 60 ? 0 : 2);
  const int text = QFontMetrics(badge_font()).horizontalAdvance(time) + 2 * badge_padding;
  const auto badge = draw_badge(painter, QPoint(place.right() - text - 2, place.bottom() - 2), text);
  painter.setFont(badge_font());
  painter.setPen(Qt::white);
  painter.drawText(badge, Qt::AlignCenter, time);
}

void draw_poster(QPainter& painter, const QRect& place, const VisualizationRow& row, bool playing) {
  draw_picture(painter, place, row.poster, row.poster.rect());
  if (row.importing) return draw_import(painter, place, *row.importing);
  if (playing)
    return draw_badge_text(
        painter, place,
        [&](const QRectF& at) {
          painter.setPen(QPen(Qt::white, 1));
          painter.setBrush(Qt::NoBrush);
          painter.drawPolygon(
              QPolygonF({at.topLeft() + QPointF(1, 0), at.center() + QPointF(5, 0), at.bottomLeft() + QPointF(1, 0)}));
        },
        LibraryDelegate::tr("On the wall"));
  if (row.plays()) return;
  draw_badge_text(
      painter, place,
      [&](const QRectF& at) {
        paint_state(painter, State::warn, at, color_on_wall(State::warn), QColor::fromRgb(colors::badge_on_wall));
      },
      row.short_reason());
}

QStringList figures_of(const VisualizationRow& row) {
  if (row.importing && !row.described()) return {LibraryDelegate::tr("Being imported")};
  if (!row.described()) return {LibraryDelegate::tr("Only on other servers")};
  return {QString("%1 \u00b7 %2").arg(length_text(row), row.size),
          LibraryDelegate::tr("%1 \u00b7 %2 Gbit/s").arg(bytes_text(row.bytes)).arg(row.gbit_per_s, 0, 'g', 3),
          row.tags.isEmpty() ? badge_text(row) : row.tags.join(", ")};
}

}  // namespace

void LibraryDelegate::set_poster_ratio(double ratio) { ratio_ = std::clamp(ratio, 1.2, 3.2); }

int LibraryDelegate::poster_height() const {
  if (!cards_) return row_lines * height_of(figures_font());
  return static_cast<int>(std::lround((card_width_ - 2 * card_margin) / ratio_));
}

QSize LibraryDelegate::card_size() const {
  return {card_width_, poster_height() + 2 * height_of(title_font()) + height_of(figures_font()) + 3 * card_margin};
}

QRect LibraryDelegate::poster_in(const QRect& item) const {
  if (cards_)
    return {item.left() + card_margin, item.top() + card_margin, item.width() - 2 * card_margin, poster_height()};
  return {item.left() + 2 * card_margin, item.top() + card_margin, row_poster_width, poster_height()};
}

QSize LibraryDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  if (cards_) return card_size();
  return {std::max(200, option.rect.width()), poster_height() + 2 * card_margin};
}

void LibraryDelegate::set_scrub(const QString& name, double position) {
  scrubbed_ = name;
  position_ = std::clamp(position, 0.0, 1.0);
}

void LibraryDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QModelIndex source;
  const auto* model = model_of(index, source);
  if (model == nullptr) return;
  const auto& row = model->row(source.row());
  const bool playing = model->playing() == row.name;
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  painter->save();
  painter->setRenderHint(QPainter::SmoothPixmapTransform);
  const auto ground = playing                                         ? colors::accent_soft
                      : selected                                      ? colors::select
                      : (option.state & QStyle::State_MouseOver) != 0 ? colors::hover
                                                                      : colors::panel;
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(selected ? QPen(colors::accent, 2) : QPen(Qt::NoPen));
  painter->setBrush(ground);
  painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 6, 6);
  painter->setRenderHint(QPainter::Antialiasing, false);

  const QRect poster = poster_in(option.rect);
  if (scrubbed_ == row.name && !row.strip.isNull() && row.thumbnails > 0)
    draw_strip(*painter, poster, row, position_);
  else
    draw_poster(*painter, poster, row, playing);

  const QRect text =
      cards_ ? QRect(poster.left() + 2, poster.bottom() + 3, poster.width() - 4,
                     option.rect.bottom() - poster.bottom() - 3)
             : QRect(poster.right() + 10, poster.top(), option.rect.right() - poster.right() - 16, poster.height());
  painter->setFont(title_font());
  painter->setPen(colors::text);
  draw_lines(*painter, text, row.title, cards_ ? 2 : 1);
  painter->setFont(figures_font());
  painter->setPen(colors::text2);
  const auto figures =
      cards_ ? QStringList{row.described() ? length_text(row) : figures_of(row).constFirst()} : figures_of(row);
  int top = text.top() + (cards_ ? 2 : 1) * height_of(title_font());
  for (const auto& line : figures) {
    painter->drawText(QRect(text.left(), top, text.width(), height_of(figures_font())),
                      Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(line, Qt::ElideRight, text.width()));
    top += height_of(figures_font());
  }
  painter->restore();
}

}  // namespace lw
