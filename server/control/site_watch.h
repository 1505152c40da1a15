// Turns what senders know of the sites' nodes into events: a node that reported falls silent, and is heard again. If no
// node of a site is left, the event is of the site. Pure: the caller passes figures and time. Control thread only.
//
// Senders count a flow as heard for five seconds after a report, and only while frames are sent: after a pause of
// sending, no silence is noticed before nodes had the time to report again.
#pragma once

#include "common/base/units.h"
#include "common/messages/stats.h"
#include "common/metrics/site_stats.h"
#include "server/play/play_event.h"

#include <span>
#include <vector>

namespace lw {

// What other servers see of the sites.
struct OthersSites {
  std::vector<SiteReport> reports;  // of one or several servers
  bool complete = true;             // of all whose flows this server does not send
};

class SiteWatch {
public:
  static constexpr std::chrono::seconds begin_after{6};  // since sending began

  explicit SiteWatch(const Wall& wall);

  // `sites`: of each site its nodes, as in Wall::sites. `sends`: frames are sent now.
  std::vector<PlayEvent> update(std::span<const std::vector<SiteStats>> sites, bool sends, LocalTime now);

private:
  struct Node {
    bool reported = false;  // ever
    bool silent = false;
  };
  void look(std::size_t site, std::size_t node, bool heard, std::vector<PlayEvent>& events);

  const Wall& wall_;
  std::vector<std::vector<Node>> nodes_;
  bool sent_ = false;
  LocalTime began_{};  // to send
};

}  // namespace lw
