// A flow's exchange with its receiver at one place (the wall's node, or that of a site) about the frames that all tiles
// of the place show ([sync] mode = "wall"): takes in which frames the receiver holds, and sends it which are committed.
// Its newest report also says which playout delay it needs. Several paths may lead to the receiver. Stepped by the
// flow's thread; commit() is for one other thread, feedback() for any.
#pragma once

#include "common/base/units.h"
#include "common/concurrency/snapshot.h"
#include "common/wire/tick_set.h"
#include "server/send/flow_feedback.h"
#include "server/send/flow_path.h"

#include <optional>
#include <vector>

namespace lw {

class CommitExchange {
public:
  // `paths`: that lead to the receiver; they must outlive this object.
  explicit CommitExchange(std::vector<FlowPath*> paths) : paths_(std::move(paths)) {}

  void commit(const TickSet& committed) { committed_.publish(committed); }
  [[nodiscard]] FlowFeedback feedback() const { return feedback_.read(); }

  // True if there is a new report, which is now the feedback.
  bool hear();
  // Sends committed frames if they changed or it is time to repeat them.
  void tell(LocalTime now);
  // When tell() repeats them; empty: not before they change.
  [[nodiscard]] std::optional<LocalTime> next_tell() const {
    return tell_again_ > 0 ? std::optional(next_tell_) : std::nullopt;
  }

private:
  const std::vector<FlowPath*> paths_;
  FlowFeedback newest_;
  TickSet told_;  // as last sent to the receiver
  unsigned tell_again_ = 0;
  LocalTime next_tell_{};
  Snapshot<FlowFeedback> feedback_;
  Snapshot<TickSet> committed_;
};

}  // namespace lw
