// Sends the summary to the connections that subscribed with `summary`: twice a second, and at once when what plays
// changes. Control thread only.
#pragma once

#include "common/messages/summary.h"
#include "common/web/web_server.h"
#include "server/control/health_watch.h"
#include "server/control/library_watch.h"
#include "server/play/session.h"

#include <cstdint>
#include <set>

namespace lw {

class SummaryStream {
public:
  // All of these must outlive this object.
  SummaryStream(const Session& session, const HealthWatch& health, const LibraryWatch& library)
      : session_(session), health_(health), library_(library) {}

  void add(WebPeer& peer) { listeners_.insert(&peer); }
  void remove(WebPeer* peer) { listeners_.erase(peer); }

  [[nodiscard]] SummaryMessage message() const;
  // `is_due`: also if nothing has changed. Call at every tick.
  void step(bool is_due);

private:
  const Session& session_;
  const HealthWatch& health_;
  const LibraryWatch& library_;
  std::set<WebPeer*> listeners_;
  std::uint64_t revision_ = 0;  // sent last
};

}  // namespace lw
