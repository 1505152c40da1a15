// The list of visualizations. The pointer over a thumbnail, or the keys , and . on the current one, go through its
// strip of thumbnails.
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

signals:
  void strip_wanted(const QString& name);  // it is about to be shown

protected:
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  void scrub(const QString& name, double position);

  LibraryDelegate* delegate_ = nullptr;
  QString scrubbed_;
};

}  // namespace lw
