// Draws a visualization in the library: as a card with its poster above title and length, or as a row with all
// figures. Over the poster stands only what matters now: it is on the wall, does not fit, or is being imported.
#pragma once

#include <QStyledItemDelegate>

namespace lw {

class LibraryDelegate : public QStyledItemDelegate {
  Q_OBJECT

public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int card_width_min = 96, card_width_max = 320, card_width_usual = 150;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

  // As cards of this width, or as rows.
  void set_cards(bool cards) { cards_ = cards; }
  void set_card_width(int width) { card_width_ = width; }
  // Width by height of the posters.
  void set_poster_ratio(double ratio);
  [[nodiscard]] QSize card_size() const;

  // Where the poster is within an item.
  [[nodiscard]] QRect poster_in(const QRect& item) const;
  // This visualization shows its strip at 0..1 of its time instead of the poster; an empty name: none does.
  void set_scrub(const QString& name, double position);
  [[nodiscard]] double scrub_position() const { return position_; }

private:
  [[nodiscard]] int poster_height() const;

  bool cards_ = true;
  int card_width_ = card_width_usual;
  double ratio_ = 16.0 / 9;
  QString scrubbed_;
  double position_ = 0;
};

}  // namespace lw
