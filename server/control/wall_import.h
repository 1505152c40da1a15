// Imports at the wall's servers: the coordinator has each of them import its tiles on its own host, and knows from
// their reports how far they are. Control thread only.
#pragma once

#include "common/messages/import.h"
#include "common/wall/wall_file.h"
#include "server/control/coordination.h"
#include "server/control/event_log.h"
#include "server/control/import_job.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lw {

class WallImport {
public:
  // All of these must outlive this object.
  WallImport(const Wall& wall, const WallServer& self, ImportPlace place, Coordination& coordination, EventLog& events)
      : wall_(wall), self_(self), job_(std::move(place), self.name), coordination_(coordination), events_(events) {}

  // Here and at all other servers. An error, and nothing started, if it cannot start here.
  Result<void> start(const ImportRequest& request, const Moment& now);
  Result<void> cancel(const Moment& now);
  // Call at every tick. Whether messages() has changed. Reports what has begun and ended.
  bool step(const Moment& now);
  // The newest import of each server that this one knows of, in the order of the wall file.
  [[nodiscard]] const std::vector<ImportMessage>& messages() const { return messages_; }
  [[nodiscard]] bool runs() const;
  // Of this server.
  [[nodiscard]] ImportJob& job() { return job_; }

private:
  [[nodiscard]] std::vector<ImportMessage> collect() const;
  void tell(const ImportMessage& import, const Moment& now);

  const Wall& wall_;
  const WallServer& self_;
  ImportJob job_;
  Coordination& coordination_;
  EventLog& events_;
  std::vector<ImportMessage> messages_;
  bool asked_ = false;                                                  // for an import, since this server started
  std::map<std::string, std::pair<std::uint64_t, ImportStatus>> told_;  // by server: of the newest event
};

}  // namespace lw
