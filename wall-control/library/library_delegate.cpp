#include "wall-control/library/library_delegate.h"

#include "wall-control/app/palette.h"
#include "wall-control/models/library_model.h"

#include <QPainter>

namespace lw {
namespace {

constexpr int poster_height = 76;

const LibraryModel* model_of(const QModelIndex& index, QModelIndex& source) {
  const auto* proxy = qobject_cast<const QSortFilterProxyModel*>(index.model());
  source = proxy != nullptr ? proxy->mapToSource(index) : index;
  return qobject_cast<const LibraryModel*>(source.model());
}

}  // namespace

QSize LibraryDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
  return {280, poster_height + 16};
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
  if (playing) painter->fillRect(option.rect.left(), option.rect.top(), 3, option.rect.height(), colors::good);

  const QRect poster(option.rect.left() + 10, option.rect.top() + 8, poster_height * 8 / 5, poster_height);
  painter->fillRect(poster, QColor{0x05, 0x07, 0x0a});
  if (!row.poster.isNull()) {
    const auto scaled = row.poster.size().scaled(poster.size(), Qt::KeepAspectRatio);
    painter->drawPixmap(QRect(poster.center() - QPoint(scaled.width() / 2, scaled.height() / 2), scaled), row.poster);
  }
  const QRect text =
      QRect(poster.right() + 12, poster.top() - 2, option.rect.right() - poster.right() - 20, poster.height() + 4);
  const int height = option.fontMetrics.height() + 1;
  QFont bold = option.font;
  bold.setBold(true);
  const auto line = [&](int number, const QString& words, const QColor& color, const QFont& font) {
    painter->setFont(font);
    painter->setPen(color);
    painter->drawText(text.adjusted(0, number * height, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                      QFontMetrics(font).elidedText(words, Qt::ElideRight, text.width()));
  };
  line(0, (playing ? QString::fromUtf8("\u25b6 ") : QString()) + row.title, colors::text, bold);
  line(1, tr("%1 frames at %2/s, %3").arg(row.frames).arg(row.frame_rate, row.pixel_format), colors::faint,
       option.font);
  line(2, tr("%1, needs %2 Gbit/s").arg(row.size).arg(row.gbit_per_s, 0, 'f', 2), colors::faint, option.font);
  line(3, row.fits ? tr("\u2713 fits this wall") : tr("\u2717 %1").arg(row.reason),
       row.fits ? colors::good : colors::warning, option.font);
  painter->restore();
}

}  // namespace lw
