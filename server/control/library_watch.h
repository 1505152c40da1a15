// Scans the content directories on request and when one has changed; reports directories that go missing or come back,
// and visualizations that other programs have brought or removed. Control thread only.
#pragma once

#include "server/control/event_log.h"
#include "server/control/state_publisher.h"
#include "server/play/library.h"

#include <optional>
#include <string>

namespace lw {

class LibraryWatch {
public:
  LibraryWatch(Library& library, EventLog& events, StatePublisher& publisher)
      : library_(library), events_(events), publisher_(publisher) {}

  void scan(const Moment& now);
  // Unless the newest scan is younger than this; then it follows when it is older, in look().
  void scan_unless_new(const Moment& now, Nanoseconds age);
  // Scans if a directory has changed or a rejected visualization is fixed. Call regularly.
  void look(const Moment& now);
  void tell(const std::string& what, const Moment& now);

private:
  [[nodiscard]] bool is_missing(const std::string& name) const;

  Library& library_;
  EventLog& events_;
  StatePublisher& publisher_;
  std::optional<LocalTime> scanned_;
  bool scan_wanted_ = false;
};

}  // namespace lw
