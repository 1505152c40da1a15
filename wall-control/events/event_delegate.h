// Draws an event: shape, time, where, what happened; in two lines where the list is narrow.
#pragma once

#include <QStyledItemDelegate>

namespace lw {

class EventDelegate : public QStyledItemDelegate {
  Q_OBJECT

public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int two_lines_below = 400;  // pixels at the usual text size

  [[nodiscard]] static bool in_two_lines(int width);
  [[nodiscard]] static int row_height(int width);
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace lw
