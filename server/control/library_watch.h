// Scans the content directories on request and when one has changed; reports directories that go missing or come back.
// Control thread only.
#pragma once

#include "server/control/event_log.h"
#include "server/control/state_publisher.h"
#include "server/play/library.h"

#include <string>

namespace lw {

class LibraryWatch {
public:
  LibraryWatch(Library& library, EventLog& events, StatePublisher& publisher)
      : library_(library), events_(events), publisher_(publisher) {}

  void scan(const Moment& now);
  // Scans if a directory has changed. Call regularly.
  void look(const Moment& now);
  void tell(const std::string& what, const Moment& now);

private:
  Library& library_;
  EventLog& events_;
  StatePublisher& publisher_;
};

}  // namespace lw
