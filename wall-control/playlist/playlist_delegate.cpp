#include "wall-control/playlist/playlist_delegate.h"

#include "wall-control/models/library_model.h"
#include "wall-control/models/media_time.h"
#include "wall-control/playlist/playlist_model.h"
#include "wall-control/ui/focus_ring.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/two_lines.h"
#include "wall-control/ui/type.h"

#include <QPainter>

#include <algorithm>

namespace lw {
namespace {

constexpr int entry_margin = 8;
constexpr int grip_width = 18;
constexpr QSize entry_thumbnail(64, 28);
constexpr int progress_height = 2;

void paint_thumbnail(QPainter& painter, const QRect& place, const QPixmap& poster) {
  painter.fillRect(place, colors::well);
  if (poster.isNull()) return;
  const auto part = place.size().scaled(poster.size(), Qt::KeepAspectRatio);
  painter.drawPixmap(
      place, poster,
      QRect((poster.width() - part.width()) / 2, (poster.height() - part.height()) / 2, part.width(), part.height()));
}

QString entry_fade_text(const DraftEntry& entry) {
  return entry.fade_ms ? PlaylistDelegate::tr("fade %1 s").arg(*entry.fade_ms / 1000.0) : PlaylistDelegate::tr("cut");
}

QString length_of(const DraftEntry& entry, const LibraryModel& library) {
  const auto seconds = seconds_of(entry, library);
  return seconds ? media_length(*seconds) : QString::fromUtf8("\u2013");
}

int title_width(int row_width, const QString& length) {
  return row_width - 4 * entry_margin - grip_width - entry_thumbnail.width() -
         static_cast<int>(type::figure_width(type::sized(13), length));
}

}  // namespace

std::optional<double> seconds_of(const DraftEntry& entry, const LibraryModel& library) {
  if (entry.seconds) return entry.seconds;
  const auto* row = library.find(entry.name);
  if (row == nullptr || row->seconds <= 0 || !entry.loops) return std::nullopt;
  return row->seconds * *entry.loops;
}

QString PlaylistDelegate::title_of(const DraftEntry& entry) const {
  const auto* row = library_.find(entry.name);
  return row != nullptr ? row->title : entry.name;
}

QString PlaylistDelegate::words_of(int row) const {
  const auto& entry = playlist_.draft().entries()[row];
  const auto lasts = duration_text(entry);
  const bool paused = progress_.activity == EntryProgress::Activity::paused;
  switch (playlist_.draft().state_of(row)) {
    case EntryState::on_wall:
      if (progress_.activity == EntryProgress::Activity::ended) return tr("Ended on its last frame");
      if (progress_.pass && entry.loops > 1)
        return (paused ? tr("Paused, pass %1 of %2") : tr("Playing, pass %1 of %2"))
            .arg(*progress_.pass)
            .arg(*entry.loops);
      return (paused ? tr("Paused, %1") : tr("Playing, %1")).arg(lasts);
    case EntryState::played:
      return tr("Played");
    case EntryState::edited:
      return tr("%1 \u00b7 %2 \u00b7 not live").arg(lasts, entry_fade_text(entry));
    case EntryState::queued:
      break;
  }
  return tr("%1 \u00b7 %2").arg(lasts, entry_fade_text(entry));
}

QString PlaylistDelegate::description_of(int row) const {
  const auto& entry = playlist_.draft().entries()[row];
  const auto seconds = seconds_of(entry, library_);
  return QStringList{title_of(entry), words_of(row), seconds ? media_length(*seconds) : tr("length not known")}.join(
      ", ");
}

QSize PlaylistDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto& entry = playlist_.draft().entries()[index.row()];
  const QFontMetrics title(type::sized(13, true));
  const int width = title_width(option.rect.width(), length_of(entry, library_));
  const int lines = width > 0 ? lines_of(type::sized(13, true), title_of(entry), width, 2) : 1;
  const int text_height = lines * title.height() + QFontMetrics(type::sized(12)).height();
  return {120, std::max(entry_thumbnail.height(), text_height) + entry_margin};
}

void PlaylistDelegate::paint_mark(QPainter& painter, const QRect& place, EntryState state) const {
  if (state == EntryState::on_wall) {
    const QPointF middle = QRectF(place).center();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors::accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(QPolygonF({middle + QPointF(-4, -6), middle + QPointF(6, 0), middle + QPointF(-4, 6)}));
    painter.setRenderHint(QPainter::Antialiasing, false);
    return;
  }
  for (const int x : {-3, 2})
    for (const int y : {-5, -1, 3}) painter.fillRect(QRect(place.center() + QPoint(x, y), QSize(2, 2)), colors::text3);
}

void PlaylistDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  if (index.row() >= playlist_.draft().entries().size()) return;
  const auto& entry = playlist_.draft().entries()[index.row()];
  const auto state = playlist_.draft().state_of(index.row());
  const QRect& row = option.rect;
  painter->save();
  painter->setRenderHint(QPainter::SmoothPixmapTransform);
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  if (state == EntryState::on_wall)
    painter->fillRect(row, colors::accent_soft);
  else if (selected)
    painter->fillRect(row, colors::select);
  else if ((option.state & QStyle::State_MouseOver) != 0)
    painter->fillRect(row, colors::hover);
  paint_mark(*painter, QRect(row.left() + entry_margin / 2, row.top(), grip_width, row.height()), state);
  const QRect picture(row.left() + entry_margin + grip_width, row.center().y() - entry_thumbnail.height() / 2,
                      entry_thumbnail.width(), entry_thumbnail.height());
  const auto* known = library_.find(entry.name);
  paint_thumbnail(*painter, picture, known != nullptr ? known->poster : QPixmap());

  const auto length = length_of(entry, library_);
  painter->setFont(type::sized(13));
  painter->setPen(state == EntryState::played ? colors::text3 : colors::text2);
  type::paint_figure(*painter, QRectF(row.adjusted(0, 0, -entry_margin, 0)), Qt::AlignRight | Qt::AlignVCenter, length);
  const int left = picture.right() + entry_margin;
  const int width = title_width(row.width(), length);
  const QFont title = type::sized(13, true);
  const QFont words = type::sized(12);
  const int words_height = QFontMetrics(words).height();
  const int title_height = row.height() - entry_margin - words_height;
  const int used = QFontMetrics(title).height() * (title_height >= 2 * QFontMetrics(title).height() ? 2 : 1);
  const int top = row.top() + (row.height() - used - words_height) / 2;
  painter->setFont(title);
  painter->setPen(state == EntryState::played ? colors::text3 : colors::text);
  draw_lines(*painter, QRect(left, top, width, used), title_of(entry), used / QFontMetrics(title).height());
  painter->setFont(words);
  painter->setPen(state == EntryState::edited ? colors::warn : colors::text2);
  painter->drawText(QRect(left, top + used, width, words_height), Qt::AlignLeft | Qt::AlignVCenter,
                    QFontMetrics(words).elidedText(words_of(index.row()), Qt::ElideRight, width));
  if (state == EntryState::on_wall && progress_.played) {
    const int done = static_cast<int>(*progress_.played * row.width());
    painter->fillRect(QRect(row.left(), row.bottom() + 1 - progress_height, done, progress_height), colors::accent);
  }
  if (selected && (option.state & QStyle::State_HasFocus) != 0) paint_focus_ring(*painter, row);
  painter->restore();
}

}  // namespace lw
