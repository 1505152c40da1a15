// The newest frame records of all hosts, in order of arrival, so that an operator can look back on them. Control thread
// only.
#pragma once

#include "common/metrics/frame_record.h"

#include <boost/circular_buffer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lw {

class FrameHistory {
public:
  static constexpr std::size_t records_kept =
      32'768;  // minutes of a small wall, a second and a half of 64 tiles x 4 flows

  void add(const FrameRecord& record) {
    records_.push_back(record);
    ++next_;
  }
  // Records are numbered in order of arrival.
  [[nodiscard]] std::uint64_t first() const { return next_ - records_.size(); }  // the oldest that is kept
  [[nodiscard]] std::uint64_t next() const { return next_; }                     // the next to arrive
  [[nodiscard]] const FrameRecord& at(std::uint64_t number) const { return records_[number - first()]; }
  // The first record of a frame with this media time or a later one.
  [[nodiscard]] std::uint64_t since(WallTime media_time) const {
    const auto found =
        std::ranges::find_if(records_, [&](const FrameRecord& record) { return record.media_time >= media_time; });
    return first() + static_cast<std::uint64_t>(found - records_.begin());
  }

private:
  boost::circular_buffer<FrameRecord> records_{records_kept};
  std::uint64_t next_ = 0;
};

}  // namespace lw
