// Imports on this server's host at an operator's request: runs wall-ingest, one at a time, and keeps how far it is. The
// import goes on without the operator, and ends with the server. Control thread only.
#pragma once

#include "common/base/moment.h"
#include "common/host/child_program.h"
#include "common/messages/import.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

// What the server's administrator allows, and where imports go.
struct ImportPlace {
  std::vector<std::filesystem::path> from;  // directories below which inputs may be; empty: no imports
  std::string program = {};                 // wall-ingest; empty: not installed
  std::string wall_file = {};
  std::vector<std::filesystem::path> out = {};      // the usual ones: the first for stores, all for stripes
  std::string server = {};                          // whose tiles are imported; empty: all
  std::vector<std::filesystem::path> content = {};  // other directories that can have stores
};

class ImportJob {
public:
  // `server`: the name of this one.
  ImportJob(ImportPlace place, std::string server) : place_(std::move(place)), server_(std::move(server)) {}

  [[nodiscard]] const ImportPlace& place() const { return place_; }
  // An error if this server imports nothing, or has no program to do it.
  [[nodiscard]] Result<void> check_installed() const;
  // Refused while one runs, and for inputs that are not allowed.
  Result<void> start(const ImportRequest& request);
  // Asks it to end: what is done stays, and the same request continues. An error if none runs.
  Result<void> cancel(const Moment& now);
  // Call at every tick. Whether the message has changed.
  bool step(const Moment& now);
  [[nodiscard]] bool runs() const { return child_.has_value(); }
  // The newest import; empty: none since the server started.
  [[nodiscard]] const std::optional<ImportMessage>& message() const { return message_; }

  static std::vector<std::string> arguments(const ImportPlace& place, const ImportRequest& request,
                                            const std::string& input, const std::vector<std::filesystem::path>& into);

private:
  void take_line(std::string_view line);
  void end(int status);

  const ImportPlace place_;
  const std::string server_;
  std::optional<ChildProgram> child_;
  std::optional<ImportMessage> message_;
  std::string last_words_;  // of its errors
  bool made_ = false;       // it said that it is done
  bool changed_ = false;
  std::optional<LocalTime> cancelled_;
};

// Why a run of wall-ingest failed: its last words, made printable, or else how it ended (as of waitpid).
std::string ingest_failure(std::string_view last_words, int status);

}  // namespace lw
