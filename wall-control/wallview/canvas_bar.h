// Above the canvas: what plays, and the tools of the wall.
#pragma once

#include "wall-control/ui/commands.h"

#include <QWidget>

class QMenu;
class QToolButton;

namespace lw {

// "Flight through the cosmic web  13 160 x 4980 pixels · 24 fps": the detail loses its last parts where it is narrow.
class BarTitle : public QWidget {
  Q_OBJECT

public:
  explicit BarTitle(QWidget* parent = nullptr);
  void set(const QString& title, const QStringList& parts);
  // The parts that have room.
  [[nodiscard]] QString shown_title() const;
  [[nodiscard]] QString shown_detail() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void follow_width();
  QString title_;
  QStringList parts_;
};

class CanvasBar : public QWidget {
  Q_OBJECT

public:
  struct Tools {
    QMenu* patterns = nullptr;
    QAction *identify = nullptr, *mark = nullptr, *save = nullptr;
    QAction *zoom_out = nullptr, *fit = nullptr, *zoom_in = nullptr, *full_screen = nullptr;
  };
  CanvasBar(Commands& commands, const Tools& tools, QWidget* parent = nullptr);

  BarTitle& title() { return *title_; }
  [[nodiscard]] QToolButton* patterns() const { return patterns_; }
  // In parts of 1.
  void set_zoom(double zoom);
  void set_grouped(bool by_node);

signals:
  void overlay_chosen(bool state);
  void grouping_chosen(bool by_node);

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  static QToolButton* make_choice(const QString& name, Icon meaning, const QString& tip);
  QToolButton* make_overlay();
  QToolButton* make_grouping();
  BarTitle* title_ = nullptr;
  QToolButton* overlay_ = nullptr;
  QToolButton* grouping_ = nullptr;
  QToolButton* patterns_ = nullptr;
  QToolButton* fit_ = nullptr;
};

}  // namespace lw
