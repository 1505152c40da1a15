// The buttons in a dock's header. It skips those for which it has no room, the last ones first: the dock's menu has
// them instead.
#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QToolButton;

namespace lw {

class ToolRow : public QWidget {
  Q_OBJECT

public:
  explicit ToolRow(QWidget* parent = nullptr) : QWidget(parent) {}

  // In the place of the buttons so far; Tab goes from the last one to `next`.
  void set_actions(const QList<QAction*>& actions, QWidget& next);
  [[nodiscard]] QList<QAction*> without_room() const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  void place_buttons();

  QList<QToolButton*> buttons_;
};

}  // namespace lw
