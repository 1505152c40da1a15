// Of many ports, those that have something to read: one system call asks for all of them, however many there are. A
// port without a kernel socket (of a test or simulation) counts as readable. One thread.
#pragma once

#include <poll.h>

#include <cstddef>
#include <vector>

namespace lw {

class ReadablePorts {
public:
  void add(int descriptor) { polled_.push_back({descriptor, POLLIN, 0}); }
  [[nodiscard]] bool empty() const { return polled_.empty(); }
  void look() {
    if (!polled_.empty()) ::poll(polled_.data(), polled_.size(), 0);
  }
  // By the place in the order of add(), as the last look() saw it. An error also has to be read.
  [[nodiscard]] bool readable(std::size_t place) const { return polled_[place].fd < 0 || polled_[place].revents != 0; }

private:
  std::vector<pollfd> polled_;
};

}  // namespace lw
