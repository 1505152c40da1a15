#include "common/metrics/virtual_receive_buffer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace lw {
namespace {

constexpr double anchored_s = 1;
constexpr std::int64_t anchored_frames_min = 8;
constexpr double clock_rate_off_max = 200e-6;
// Packet times are in nanoseconds, each rounded.
constexpr double time_resolution_s = 2e-9;

struct Reading {
  double packets = 0;   // per frame
  double frame_s = 0;   // TFRAME
  double packet_s = 0;  // TRS

  [[nodiscard]] double gap_s() const { return frame_s - packets * packet_s; }
  // Packets in the buffer together with one that arrived this long before it is read, including itself.
  [[nodiscard]] double waiting(std::size_t packet, double lead_s) const {
    if (lead_s <= 0) return 0;
    const auto place = static_cast<double>(packet);
    const double before_frame_s = lead_s - place * packet_s;
    if (before_frame_s <= 0) return std::ceil(lead_s / packet_s);
    // Its own frame is not read yet. The others in the buffer belong to earlier frames.
    const double frames = std::floor(before_frame_s / frame_s);
    const double left_s = before_frame_s - frames * frame_s - gap_s();
    return place + 1 + frames * packets + std::clamp(std::ceil(left_s / packet_s) - 1, 0.0, packets);
  }
};

// A packet in an aligned part of the stream; times are relative to the part's first packet.
struct Point {
  double read_s = 0;  // by the schedule
  double late_s = 0;  // arrival minus that
};

// The points that are above (sign 1) or below (sign -1) all others at some clock rate; `points` in reading order.
void outline(std::span<const Point> points, double sign, std::vector<Point>& hull) {
  hull.clear();
  for (const auto& point : points) {
    const auto hides = [&](const Point& from, const Point& middle) {
      return sign * ((middle.late_s - from.late_s) * (point.read_s - from.read_s) -
                     (point.late_s - from.late_s) * (middle.read_s - from.read_s)) <=
             0;
    };
    while (hull.size() > 1 && hides(hull[hull.size() - 2], hull.back())) hull.pop_back();
    hull.push_back(point);
  }
}

// For the points, if the stream's clock runs faster by `rate`.
double latest_s(std::span<const Point> points, double rate) {
  double latest = points.front().late_s - rate * points.front().read_s;
  for (const auto& point : points) latest = std::max(latest, point.late_s - rate * point.read_s);
  return latest;
}

double earliest_s(std::span<const Point> points, double rate) {
  double earliest = points.front().late_s - rate * points.front().read_s;
  for (const auto& point : points) earliest = std::min(earliest, point.late_s - rate * point.read_s);
  return earliest;
}

class Anchored {
public:
  explicit Anchored(const Reading& reading) : reading_(reading) {}

  // For consecutive packets in the order of reading.
  double vrx_max(std::span<const PacketArrival> arrivals) {
    points_.clear();
    const auto& first = arrivals.front();
    for (const auto& arrival : arrivals) {
      const double read_s =
          static_cast<double>(arrival.frame - first.frame) * reading_.frame_s +
          (static_cast<double>(arrival.packet) - static_cast<double>(first.packet)) * reading_.packet_s;
      points_.push_back({read_s, std::chrono::duration<double>(arrival.time - first.time).count() - read_s});
    }
    const double rate = clock_rate_off();
    const double latest = latest_s(above_, rate);
    double most = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const double lead_s = latest - (points_[i].late_s - rate * points_[i].read_s) - time_resolution_s;
      most = std::max(most, reading_.waiting(arrivals[i].packet, lead_s));
    }
    return most;
  }

private:
  // The rate at which arrivals vary least around the schedule. The variation is a convex function of the rate.
  double clock_rate_off() {
    outline(points_, 1, above_);
    outline(points_, -1, below_);
    const auto variation = [&](double rate) { return latest_s(above_, rate) - earliest_s(below_, rate); };
    double least = -clock_rate_off_max, most = clock_rate_off_max;
    constexpr unsigned steps = 50;  // each keeps two thirds: finally a thousandth of a nanosecond per second
    for (unsigned step = 0; step < steps; ++step) {
      const double low = least + (most - least) / 3, high = most - (most - least) / 3;
      if (variation(low) <= variation(high))
        most = high;
      else
        least = low;
    }
    return (least + most) / 2;
  }

  Reading reading_;
  std::vector<Point> points_, above_, below_;
};

bool read_before(const PacketArrival& one, const PacketArrival& other) {
  return one.frame != other.frame ? one.frame < other.frame : one.packet < other.packet;
}

}  // namespace

double vrx_max(ReadSchedule schedule, std::size_t packets_per_frame, double frame_interval_s,
               std::span<const PacketArrival> arrivals) {
  const auto packets = static_cast<double>(packets_per_frame);
  Anchored anchored({packets, frame_interval_s, frame_interval_s * active_share(schedule) / packets});
  std::vector<PacketArrival> read;
  if (!std::ranges::is_sorted(arrivals, read_before)) {
    read.assign(arrivals.begin(), arrivals.end());
    std::ranges::sort(read, read_before);
    arrivals = read;
  }
  const auto frames =
      std::max(anchored_frames_min, static_cast<std::int64_t>(std::ceil(anchored_s / frame_interval_s)));
  double most = 0;
  // Each part overlaps half of the previous one, so that a burst at a part's end is inside another part.
  while (!arrivals.empty()) {
    const auto begin_of = [&](std::int64_t count) {
      return std::ranges::partition_point(
          arrivals, [&](const PacketArrival& arrival) { return arrival.frame - arrivals.front().frame < count; });
    };
    const auto end = begin_of(frames);
    most = std::max(most, anchored.vrx_max({arrivals.begin(), end}));
    if (end == arrivals.end()) break;
    arrivals = {begin_of(frames / 2), arrivals.end()};
  }
  return most;
}

}  // namespace lw
