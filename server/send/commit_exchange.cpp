#include "server/send/commit_exchange.h"

#include <algorithm>

namespace lw {
namespace {

// How often, and how far apart, committed frames are reported.
constexpr unsigned tells_again = 8;
constexpr std::chrono::milliseconds tell_interval{4};
// A receiver reports what it holds every 80 ms at least, by each path.
constexpr std::chrono::milliseconds path_silent{250};

}  // namespace

// Of two paths to a node, the one heard last counts. Both carry what the server decides, so that the receiver has it
// after the shorter round trip; but not by a path that is not heard any more.
bool CommitExchange::hear() {
  FlowFeedback newest;
  for (const auto* path : paths_)
    if (const auto& feedback = path->rtcp.feedback(); feedback.heard >= newest.heard) newest = feedback;
  newest.round_trip.reset();
  for (const auto* path : paths_) {
    const auto heard = path->rtcp.feedback().heard;
    const auto round_trip = path->rtcp.round_trip_time();
    if (!round_trip || !heard || *newest.heard - *heard > path_silent) continue;
    newest.round_trip = std::min(newest.round_trip.value_or(*round_trip), *round_trip);
  }
  if (newest == newest_) return false;
  newest_ = newest;
  feedback_.publish(newest);
  return true;
}

// Repeats them, because the packet may be lost.
void CommitExchange::tell(LocalTime now) {
  const auto committed = committed_.read();
  if (committed == told_ && now < next_tell_) return;
  if (committed != told_) tell_again_ = tells_again;
  told_ = committed;
  if (tell_again_ == 0) return;
  --tell_again_;
  next_tell_ = now + tell_interval;
  for (auto* path : paths_) path->rtcp.tell_committed(committed);
}

}  // namespace lw
