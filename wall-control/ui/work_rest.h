// How long a redraw rests that follows new figures: so long that its work costs no more than a fortieth of a core,
// however large the wall, and at least the given time.
#pragma once

#include <QElapsedTimer>

#include <algorithm>
#include <chrono>

namespace lw {

class WorkRest {
public:
  explicit WorkRest(std::chrono::milliseconds least) : least_ms_(least.count()) {}

  [[nodiscard]] bool over() const { return !rest_.isValid() || rest_.elapsed() >= rest_ms_; }
  // Does the work, then begins to rest.
  template <class Work>
  void after(const Work& work) {
    QElapsedTimer took;
    took.start();
    work();
    rest_ms_ = std::max(least_ms_, rest_per_work * took.elapsed());
    rest_.start();
  }

private:
  static constexpr qint64 rest_per_work = 40;

  qint64 least_ms_;
  qint64 rest_ms_ = 0;
  QElapsedTimer rest_;
};

}  // namespace lw
