// Asks wall-ingest what a source on this server's host is, before an operator imports it: one source at a time, each
// within a limit of time. The answer goes to the connection that asked. Control thread only.
#pragma once

#include "common/base/moment.h"
#include "common/base/result.h"
#include "common/host/child_program.h"
#include "common/messages/import_probe.h"
#include "common/web/web_server.h"
#include "server/control/import_job.h"

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class SourceProbe {
public:
  static constexpr std::size_t waiting_max = 16;
  static constexpr std::chrono::seconds answers_within{30};

  // `job` must outlive this object: its place says what is allowed.
  explicit SourceProbe(const ImportJob& job) : job_(job) {}

  // In place of what this connection asked before. Refused for inputs that cannot be imported.
  Result<void> ask(WebPeer& peer, const ImportProbeRequest& request, const Moment& now);
  void remove(WebPeer* peer);
  // Call at every tick: sends the answers.
  void step(const Moment& now);

  static std::vector<std::string> arguments(const ImportPlace& place, const ImportProbeRequest& request,
                                            const std::string& input);

private:
  struct Question {
    WebPeer* peer = nullptr;  // null: nobody waits for the answer any more
    ImportProbeRequest request;
    std::string input;  // with links resolved
    LocalTime asked{};
  };
  struct Run {
    Question question;
    ChildProgram child;
    std::optional<ImportSourceMessage> found = {};
    std::string last_words = {};  // of its errors
  };

  void start_next();
  void read(Run& run);
  static void take_line(Run& run, std::string_view line);
  static void answer(Question& question, ImportSourceMessage message);

  const ImportJob& job_;
  std::deque<Question> waiting_;
  std::optional<Run> run_;
};

}  // namespace lw
