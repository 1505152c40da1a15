// How long the first packets of a flow's frames were in flight (one-way delay, RFC 7679), by matching the sender's
// record of a frame with the receiver's. A frame whose first packet was lost has no flight: another packet left later.
// Pure: the caller passes the records. Control thread only.
#pragma once

#include "common/metrics/frame_record.h"
#include "common/metrics/histograms.h"
#include "common/metrics/recent_distribution.h"

#include <boost/circular_buffer.hpp>

#include <algorithm>

namespace lw {

class FlightWatch {
public:
  void sent(const FrameRecord& record) { sent_.push_back({record.media_time, record.times[1]}); }
  // Call after sent() for the same frame.
  void received(const FrameRecord& record) {
    const auto frame = std::ranges::find(sent_.rbegin(), sent_.rend(), record.media_time, &Sent::media_time);
    if (frame == sent_.rend() || frame->first == WallTime{} || record.times[2] == WallTime{}) return;
    const auto flight = record.times[2] - frame->first;
    flight_us_.add(static_cast<double>(flight.count()) / 1000);
    histograms_.flight.add(flight);
  }
  void clear() { flight_us_.clear(); }

  [[nodiscard]] const RecentDistribution<256>& flight_us() const { return flight_us_; }
  [[nodiscard]] const WallFlowHistograms& histograms() const { return histograms_; }  // of all, also of those cleared

private:
  struct Sent {
    WallTime media_time{};
    WallTime first{};
  };
  boost::circular_buffer<Sent> sent_{256};  // a second at 240 frame/s
  RecentDistribution<256> flight_us_;
  WallFlowHistograms histograms_;
};

}  // namespace lw
