// The visualizations as cards or as rows. The pointer over a poster, or the keys , and . on the current one, go
// through its strip of thumbnails. Cards can be dragged to the wall and into the playlist.
#pragma once

#include <QListView>

namespace lw {

class LibraryDelegate;

class LibraryView : public QListView {
  Q_OBJECT

public:
  explicit LibraryView(QWidget* parent = nullptr);
  // The name of the current visualization; empty if there is none.
  [[nodiscard]] QString current_name() const;
  void select(const QString& name);
  void show_cards(bool cards);
  [[nodiscard]] bool shows_cards() const { return viewMode() == IconMode; }
  void set_card_width(int width);
  void set_poster_ratio(double ratio);
  // Where its poster is, in the viewport.
  [[nodiscard]] QRect poster_of(const QModelIndex& index) const;

signals:
  void strip_wanted(const QString& name);  // it is about to be shown

protected:
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

private:
  void scrub(const QString& name, double position);
  void lay_out();

  LibraryDelegate* delegate_ = nullptr;
  int card_width_;
  QString scrubbed_;
};

}  // namespace lw
