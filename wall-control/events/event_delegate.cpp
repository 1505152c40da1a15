#include "wall-control/events/event_delegate.h"

#include "wall-control/events/event_model.h"
#include "wall-control/ui/focus_ring.h"
#include "wall-control/ui/icons.h"
#include "wall-control/ui/palette.h"
#include "wall-control/ui/state_shape.h"
#include "wall-control/ui/type.h"

#include <QDateTime>
#include <QPainter>

namespace lw {
namespace {

constexpr int event_margin = 10;
constexpr int event_shape = 14;
constexpr int event_text_left = event_margin + event_shape + 10;
constexpr int pointer_icon = 16;  // the icon of events that the charts show

struct RowParts {
  State state;
  QString time, where, text;
};

RowParts row_parts(const QModelIndex& index) {
  const auto at = [&](EventModel::Column column) { return index.siblingAtColumn(column).data().toString(); };
  return {static_cast<State>(index.data(EventModel::state_role).toInt()),
          QDateTime::fromMSecsSinceEpoch(index.data(EventModel::time_role).toLongLong()).toString("HH:mm:ss"),
          index.data(EventModel::where_role).toString(), at(EventModel::text)};
}

}  // namespace

bool EventDelegate::in_two_lines(int width) { return width < type::scaled(two_lines_below); }

int EventDelegate::row_height(int width) {
  const int line = QFontMetrics(type::sized(13)).height();
  return in_two_lines(width) ? line + QFontMetrics(type::sized(11)).height() + 10 : line + 12;
}

QSize EventDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  return {120, row_height(option.rect.width())};
}

void EventDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QRect& row = option.rect;
  const auto parts = row_parts(index);
  painter->save();
  const bool selected = (option.state & QStyle::State_Selected) != 0;
  const auto ground = selected                                        ? colors::select
                      : (option.state & QStyle::State_MouseOver) != 0 ? colors::hover
                                                                      : colors::panel;
  painter->fillRect(row, ground);
  painter->fillRect(QRect(row.left(), row.bottom(), row.width(), 1), colors::line);
  paint_state(*painter, parts.state,
              QRectF(row.left() + event_margin, row.center().y() - event_shape / 2.0, event_shape, event_shape),
              color_of(parts.state), ground);
  QRect text = row.adjusted(event_text_left, 0, -event_margin, -1);
  if (parts.state == State::warn || parts.state == State::crit || selected) {
    icon(Icon::show_cause, colors::text3)
        .paint(painter,
               QRect(text.right() - pointer_icon, row.center().y() - pointer_icon / 2, pointer_icon, pointer_icon));
    text.setRight(text.right() - pointer_icon - 8);
  }
  const auto put = [&](const QRect& place, const QFont& font, const QColor& color, const QString& words) {
    painter->setFont(font);
    painter->setPen(color);
    painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                      painter->fontMetrics().elidedText(words, Qt::ElideRight, place.width()));
  };
  if (in_two_lines(row.width())) {
    const int height = QFontMetrics(type::sized(13)).height();
    put(QRect(text.left(), row.top() + 4, text.width(), height), type::sized(13), colors::text, parts.text);
    const auto context = parts.where.isEmpty() ? parts.time : tr("%1 \u00b7 %2").arg(parts.time, parts.where);
    put(QRect(text.left(), row.top() + 4 + height, text.width(), row.height() - 8 - height), type::sized(11),
        colors::text3, context);
  } else {
    painter->setFont(type::sized(12));
    painter->setPen(colors::text2);
    const double time_width = type::figure_width(painter->font(), "00:00:00");
    type::paint_figure(*painter, QRectF(text), Qt::AlignLeft | Qt::AlignVCenter, parts.time);
    const int where_left = text.left() + static_cast<int>(time_width) + 10;
    const int where_width = type::scaled(60);
    put(QRect(where_left, text.top(), where_width, text.height()), type::sized(12), colors::text2, parts.where);
    put(QRect(QPoint(where_left + where_width + 8, text.top()), text.bottomRight()), type::sized(12), colors::text,
        parts.text);
  }
  if (selected && (option.state & QStyle::State_HasFocus) != 0) paint_focus_ring(*painter, row);
  painter->restore();
}

}  // namespace lw
