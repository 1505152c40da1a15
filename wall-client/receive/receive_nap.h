// How long a thread leaves packets in the sockets that it has emptied, to take more of them at once: waking it costs
// the host that sends as much as the one that receives, and more than the work on a few packets.
#pragma once

#include "common/wall/nap.h"
#include "common/wall/send_window.h"
#include "common/wall/wall_file.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace lw {

// A small part of a frame, and of the time that packets have to arrive. None where a thread is asked to look for
// packets all the time.
inline Nanoseconds longest_nap(const Wall& wall) {
  if (wall.streaming.busy_poll.count() > 0) return Nanoseconds{0};
  return std::min<Nanoseconds>(nap_of_frame(wall, 16), arrival_margin / 4);
}

// Of a thread with so many flows, which takes those of several at once.
inline Nanoseconds receive_nap(const Wall& wall, std::size_t flows) {
  return are_many(flows) ? longest_nap(wall) : Nanoseconds{0};
}

// Of a flow that is alone on its thread: as long as half a MiB takes to come, at whatever rate. One
// thread.
class DrainNap {
public:
  // Longer naps must not let the socket overflow when the rate grows: they take a small part of its buffer, also at
  // `rate_max`.
  DrainNap(const Wall& wall, std::size_t socket_bytes, BitRate rate_max)
      : wanted_(std::min(wanted_most, socket_bytes / 16)),
        longest_(std::min(longest_nap(wall), time_for(socket_bytes / 8, rate_max))) {}

  // How long the thread sleeps at least, however little it asks for.
  void set_shortest(Nanoseconds shortest) { shortest_ = shortest; }
  void took(std::size_t bytes) { taken_ += bytes; }
  // The socket is empty: how long to leave it alone; 0: better wait for the next packet.
  [[nodiscard]] Nanoseconds next() {
    const auto taken = std::exchange(taken_, 0);
    if (taken == 0) return Nanoseconds{0};
    if (taken > wanted_ * 4 / 3)
      nap_ = Nanoseconds{nap_.count() * static_cast<std::int64_t>(wanted_) / static_cast<std::int64_t>(taken)};
    else if (taken < wanted_ * 2 / 3)
      nap_ = std::max(nap_ * 5 / 4, shortest_);
    nap_ = std::min(nap_, longest_);
    return nap_ < shortest_ ? Nanoseconds{0} : nap_;
  }

private:
  static constexpr std::size_t wanted_most = std::size_t{512} << 10U;
  static Nanoseconds time_for(std::size_t bytes, BitRate rate) {
    const double seconds = static_cast<double>(bytes) * 8 / std::max(rate.bits_per_second, 1.0);
    return Nanoseconds{static_cast<std::int64_t>(std::min(seconds, 1.0) * 1e9)};
  }

  const std::size_t wanted_;  // bytes in a nap
  const Nanoseconds longest_;
  Nanoseconds shortest_{0};
  Nanoseconds nap_{0};
  std::size_t taken_ = 0;  // since the last nap
};

}  // namespace lw
