// Limits how often figures for people are redrawn: at once at the first request, then at most every 400 ms, or as
// seldom as wanted; the last request is always shown.
#pragma once

#include <QTimer>

#include <functional>
#include <utility>

namespace lw {

class SlowRefresh {
public:
  explicit SlowRefresh(std::function<void()> show, int rest_ms = 400) : show_(std::move(show)) {
    rest_.setSingleShot(true);
    rest_.setInterval(rest_ms);
    QObject::connect(&rest_, &QTimer::timeout, [this] {
      if (std::exchange(asked_, false)) now();
    });
  }
  void ask() {
    if (rest_.isActive())
      asked_ = true;
    else
      now();
  }
  // Something else is shown: draw at once.
  void now() {
    asked_ = false;
    rest_.start();
    show_();
  }

private:
  std::function<void()> show_;
  QTimer rest_;
  bool asked_ = false;
};

}  // namespace lw
