// Admits or rejects callers: clients on this host need nothing, all others a token; hosts that present wrong tokens are
// blocked for a while. Keeps the audit log. One thread.
#pragma once

#include "common/access/admission.h"
#include "common/access/attempt_log.h"
#include "common/access/audit_log.h"
#include "common/access/failure_limiter.h"
#include "common/access/tokens.h"
#include "common/base/log_limit.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lw {

class Gate {
public:
  // `state`: the folder of tokens.json, audit.ndjson and audit-attempts.ndjson.
  explicit Gate(const std::filesystem::path& state)
      : token_file_(state / "tokens.json"),
        audit_(state / "audit.ndjson"),
        attempts_(std::make_unique<AttemptLog>(state / "audit-attempts.ndjson")) {}

  // Everybody may GET /healthz, which reveals nothing; a GET of anything else needs the role view.
  std::variant<Visitor, HttpReply> admit(const WebRequest& request, LocalTime now);
  // Reloads the file of tokens if it has changed.
  void refresh();
  // Whether a client admitted earlier would be admitted again.
  [[nodiscard]] bool knows(const Visitor& visitor) const;
  // Logs a call that changed something.
  void write_change(const Visitor& visitor, std::string_view address, std::string_view method, const Json& params,
                    std::string_view outcome);
  // Logs a call that changed nothing or was rejected: a caller's first, then only the number of calls in a minute.
  void write_attempt(const Visitor& visitor, std::string_view address, std::string_view method, const Json& params,
                     std::string_view outcome, LocalTime now);
  void tell_attempts(LocalTime now) { attempts_->tell(now); }

private:
  struct FileVersion {
    std::uint64_t inode = 0;
    std::int64_t bytes = 0;
    std::int64_t changed_ns = 0;
    bool operator==(const FileVersion&) const = default;
  };
  [[nodiscard]] FileVersion version() const;
  HttpReply refuse(const WebRequest& request, LocalTime now);

  const std::filesystem::path token_file_;
  std::vector<Token> tokens_;
  FileVersion version_;
  FailureLimiter failures_;
  LogLimit refusals_{std::chrono::seconds{1}, 5};  // for rejected networks, of which there may be many
  AuditLog audit_;
  std::unique_ptr<AttemptLog> attempts_;
};

}  // namespace lw
