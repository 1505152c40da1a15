// Draws a visualization in the library: poster or a thumbnail of its strip, title, figures, tags, and whether it fits.
#pragma once

#include <QStyledItemDelegate>

namespace lw {

class LibraryDelegate : public QStyledItemDelegate {
  Q_OBJECT

public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  // Where the thumbnail is within an item.
  [[nodiscard]] static QRect poster_in(const QRect& item, const QFontMetrics& metrics);
  // This visualization shows its strip at 0..1 of its time instead of the poster; an empty name: none does.
  void set_scrub(const QString& name, double position);
  [[nodiscard]] double scrub_position() const { return position_; }

private:
  QString scrubbed_;
  double position_ = 0;
};

}  // namespace lw
