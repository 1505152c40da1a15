// Sockets of the sender's host on virtual time, which note what leaves and what comes back.
#pragma once

#include "common/clock/host_clock.h"
#include "tests/support/stand_in_socket.h"
#include "tests/support/stream.h"

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace lw::truth {

// The sender's clock on the timeline.
class SenderClock final : public HostClock {
public:
  SenderClock(const Timeline& timeline, Nanoseconds offset, std::int64_t drift_ppm)
      : timeline_(timeline), offset_(offset), drift_ppm_(drift_ppm), began_(timeline.now().wall) {}
  [[nodiscard]] Moment now() const override {
    auto now = timeline_.now();
    now.wall = shown_at(now.wall);
    return now;
  }
  [[nodiscard]] WallTime shown_at(WallTime time) const {
    return time + offset_ + (time - began_) * drift_ppm_ / 1'000'000;
  }
  [[nodiscard]] bool wall_clock_known() const override { return true; }
  [[nodiscard]] std::uint32_t wall_clock_steps() const override { return 0; }
  [[nodiscard]] double thread_cpu_seconds() const override { return 0; }

private:
  const Timeline& timeline_;
  Nanoseconds offset_;
  std::int64_t drift_ppm_;
  WallTime began_;
};

// What left by the media socket.
class LeavingPort final : public StandInSocket {
public:
  // `leaves`: called with each datagram that the sender hands over; false if the kernel refuses it.
  using Leaves = std::function<bool(std::span<const std::byte>)>;
  LeavingPort(Timeline& timeline, Leaves leaves) : StandInSocket(timeline, false), leaves_(std::move(leaves)) {}

  ssize_t send(const msghdr& message, int flags) override;
  int send(std::span<mmsghdr> messages) override;
  [[nodiscard]] std::uint64_t calls() const { return calls_; }

private:
  bool hand_over(const msghdr& message);
  const Leaves leaves_;
  std::uint64_t calls_ = 0;
};

// The round trip that a report of the receiver shows, and how long that takes to show.
struct TrueRoundTrip {
  Nanoseconds there_and_back{0};
  Nanoseconds answered_after{0};  // from the sender's report to the arrival of the answer
};

// The RTCP socket, by the sender's clock.
class ReportPort final : public StandInSocket {
public:
  using Leaves = std::function<void(std::span<const std::byte>)>;
  ReportPort(Timeline& timeline, const SenderClock& clock, Leaves leaves)
      : StandInSocket(timeline, false), timeline_(timeline), clock_(clock), leaves_(std::move(leaves)) {}

  void tell(std::span<const std::byte> datagram) override { leaves_(datagram); }
  [[nodiscard]] Moment now() const override { return clock_.now(); }
  void answer(std::span<const std::byte> datagram, const Address& from, std::optional<TrueRoundTrip> shows) {
    shows_.push_back(shows);
    arrive(datagram, from, false);
  }
  std::optional<UdpSocket::Datagram> receive_now(std::span<std::byte> buffer) override;
  // Of what the sender has read.
  [[nodiscard]] const std::optional<TrueRoundTrip>& newest() const { return newest_; }

private:
  Timeline& timeline_;
  const SenderClock& clock_;
  const Leaves leaves_;
  std::deque<std::optional<TrueRoundTrip>> shows_;
  std::optional<TrueRoundTrip> newest_;
};

}  // namespace lw::truth
