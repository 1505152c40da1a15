#include "wall-control/library/library_delegate.h"

#include "wall-control/models/library_model.h"
#include "wall-control/ui/palette.h"

#include <QPainter>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <cmath>

namespace lw {
namespace {

constexpr int lines = 6;
constexpr int poster_width = 122;
constexpr int margin = 8;

int line_height(const QFontMetrics& metrics) { return metrics.height() + 1; }

const LibraryModel* model_of(const QModelIndex& index, QModelIndex& source) {
  const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(index.model());
  source = proxy != nullptr ? proxy->mapToSource(index) : index;
  return qobject_cast<const LibraryModel*>(source.model());
}

void draw_picture(QPainter& painter, const QRect& place, const QPixmap& pixmap, const QRect& part) {
  painter.fillRect(place, QColor{0x05, 0x07, 0x0a});
  if (pixmap.isNull()) return;
  const auto scaled = part.size().scaled(place.size(), Qt::KeepAspectRatio);
  painter.drawPixmap(QRect(place.center() - QPoint(scaled.width() / 2, scaled.height() / 2), scaled), pixmap, part);
}

void draw_strip(QPainter& painter, const QRect& place, const VisualizationRow& row, double position) {
  const int width = row.strip.width() / row.thumbnails;
  const int number = std::clamp(static_cast<int>(position * row.thumbnails), 0, row.thumbnails - 1);
  draw_picture(painter, place, row.strip, QRect(number * width, 0, width, row.strip.height()));
  const int x = place.left() + static_cast<int>(position * (place.width() - 2));
  painter.fillRect(QRect(place.left(), place.bottom() - 2, place.width(), 3), colors::line);
  painter.fillRect(QRect(x, place.bottom() - 5, 2, 6), colors::text);
}

QStringList figures_of(const VisualizationRow& row) {
  if (!row.described()) return {LibraryDelegate::tr("Only on other servers")};
  const auto tenths = std::llround(std::clamp(row.seconds, 0.0, 1e9) * 10);
  const auto time = QString("%1:%2.%3").arg(tenths / 600).arg(tenths / 10 % 60, 2, 10, QChar('0')).arg(tenths % 10);
  return {LibraryDelegate::tr("%1 frames, %2/s, %3").arg(row.frames).arg(row.frame_rate, time),
          LibraryDelegate::tr("%1, %2").arg(row.size, row.pixel_format),
          LibraryDelegate::tr("%1, %2 Gbit/s").arg(bytes_text(row.bytes)).arg(row.gbit_per_s, 0, 'f', 2),
          row.tags.isEmpty() ? LibraryDelegate::tr("no tags") : row.tags.join(", ")};
}

QColor badge_color(const VisualizationRow& row) {
  return row.plays() && row.lacks.isEmpty() && row.verdict != Verdict::limited ? colors::ok : colors::warn;
}

}  // namespace

QRect LibraryDelegate::poster_in(const QRect& item, const QFontMetrics& metrics) {
  return {item.left() + 10, item.top() + margin, poster_width, lines * line_height(metrics) - 2};
}

QSize LibraryDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {280, lines * line_height(option.fontMetrics) + 2 * margin};
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
  painter->save();
  painter->setRenderHint(QPainter::SmoothPixmapTransform);
  if ((option.state & QStyle::State_Selected) != 0)
    painter->fillRect(option.rect, option.palette.highlight());
  else if (playing)
    painter->fillRect(option.rect, colors::raised);
  if (playing) painter->fillRect(option.rect.left(), option.rect.top(), 3, option.rect.height(), colors::ok);

  const QRect poster = poster_in(option.rect, option.fontMetrics);
  if (scrubbed_ == row.name && !row.strip.isNull() && row.thumbnails > 0)
    draw_strip(*painter, poster, row, position_);
  else
    draw_picture(*painter, poster, row.poster, row.poster.rect());
  const int left = poster.right() + 12;
  const QRect text(left, poster.top() - 2, option.rect.right() - left - 8, poster.height() + 4);
  QFont bold = option.font;
  bold.setBold(true);
  const auto line = [&](int number, const QString& words, const QColor& color, const QFont& font) {
    painter->setFont(font);
    painter->setPen(color);
    painter->drawText(text.adjusted(0, number * line_height(option.fontMetrics), 0, 0), Qt::AlignLeft | Qt::AlignTop,
                      QFontMetrics(font).elidedText(words, Qt::ElideRight, text.width()));
  };
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  line(0, (playing ? QString::fromUtf8("\u25b6 ") : QString()) + row.title, colors::text, bold);
  int number = 1;
  for (const auto& words : figures_of(row)) line(number++, words, selected ? colors::text : colors::text3, option.font);
  line(number, badge_text(row), badge_color(row), option.font);
  painter->restore();
}

}  // namespace lw
