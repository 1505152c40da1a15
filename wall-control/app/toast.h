// A message at the bottom right of the window, for six seconds; one at a time. It pauses under the pointer, offers one
// action, and is read out by screen readers.
#pragma once

#include "wall-control/ui/state_shape.h"

#include <QFrame>
#include <QTimer>

#include <functional>

class QLabel;
class QPushButton;

namespace lw {

class Toast : public QFrame {
  Q_OBJECT

public:
  // Inside `window`, above everything else in it.
  explicit Toast(QWidget& window);

  void say(const QString& words, State state = State::note);
  // `offer`: the text of a button.
  void say(const QString& words, State state, const QString& offer, const std::function<void()>& run);
  [[nodiscard]] QString words() const;

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

private:
  void place();

  QWidget& window_;
  QLabel* words_;
  QPushButton* offer_;
  State state_ = State::note;
  std::function<void()> run_;
  QTimer ends_;
};

}  // namespace lw
