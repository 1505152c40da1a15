// Scans the content directories on request and when one has changed; reports directories that go missing or come back,
// and visualizations that other programs have brought or removed. Control thread only.
#pragma once

#include "server/control/event_log.h"
#include "server/control/state_publisher.h"
#include "server/play/library.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace lw {

class LibraryWatch {
public:
  LibraryWatch(Library& library, EventLog& events, StatePublisher& publisher)
      : library_(library), events_(events), publisher_(publisher), editions_(editions()) {}

  void scan(const Moment& now);
  // Unless the newest scan is younger than this; then it follows when it is older, in look().
  void scan_unless_new(const Moment& now, Nanoseconds age);
  // Scans if a directory has changed or a rejected visualization is fixed. Call regularly.
  void look(const Moment& now);
  void tell(const std::string& what, const Moment& now);
  // Grows when visualizations have come, gone, or been replaced or described.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }

private:
  using Editions = std::map<std::string, std::optional<WallTime>>;  // when they were made, by name
  [[nodiscard]] Editions editions() const;
  [[nodiscard]] bool is_missing(const std::string& name) const;

  Library& library_;
  EventLog& events_;
  StatePublisher& publisher_;
  std::optional<LocalTime> scanned_;
  bool scan_wanted_ = false;
  Editions editions_;  // as of the newest scan
  std::uint64_t revision_ = 0;
};

}  // namespace lw
