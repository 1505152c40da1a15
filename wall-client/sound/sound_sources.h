// From where a stream of sound comes, and since when without a gap. A server and its standby send the same packets,
// unless one of them was frozen or cut off: it may not know yet what the wall plays now, and packets of sound do not
// say to which line they belong. Such a server has a gap behind it, so that who has been heard for longer is right. One
// thread; no allocation.
#pragma once

#include "common/net/address.h"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace lw {

class SoundSources {
public:
  // Fewer missing packets are lost ones. A line is announced longer before its time.
  static constexpr std::int64_t gap_least = 20;  // milliseconds

  // Call for each packet, with its number: that of the packet with which what comes from there began.
  std::int64_t begun(const Address& from, std::int64_t number) {
    auto source = std::ranges::find(sources_, from, &Source::from);
    if (source == sources_.end()) {
      if (sources_.size() < sources_.capacity())
        source = sources_.insert(sources_.end(), Source{from, number, number});
      else
        *(source = std::ranges::min_element(sources_, {}, &Source::newest)) = {from, number, number};
    }
    if (number > source->newest + gap_least || number + gap_least < source->newest)
      source->begun = source->newest = number;
    source->newest = std::max(source->newest, number);
    return source->begun;
  }
  // Whether a packet of what began then is to replace one of what began at another time.
  static bool is_surer(std::int64_t begun, std::int64_t than) { return begun + gap_least < than; }

private:
  struct Source {
    Address from;
    std::int64_t begun = 0, newest = 0;
  };
  static constexpr std::size_t sources_max = 4;  // two networks, from a server and its standby

  boost::container::static_vector<Source, sources_max> sources_;
};

}  // namespace lw
