// Sessions of browsers: an operator issues a ticket, a browser exchanges it for a session, and shows the session's
// secret from then on. Only digests are kept, in memory: sessions end with the program. Bounded memory. One thread.
#pragma once

#include "common/access/admission.h"
#include "common/base/result.h"
#include "common/base/units.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lw {

class PageSessions {
public:
  static constexpr std::chrono::seconds ticket_time{120};
  static constexpr std::chrono::minutes idle_time{30};   // without a request or an open connection
  static constexpr std::chrono::hours session_time{12};  // in any case
  static constexpr std::size_t tickets_max = 16;         // the oldest gives way to the next
  static constexpr std::size_t sessions_max = 64;        // the one that was idle for longest gives way to the next

  // Returns the ticket. The session has this role, and ends when `issuer` loses access.
  Result<std::string> issue(const Visitor& issuer, AccessRole role, LocalTime now);

  struct Opened {
    std::string secret;
    Visitor visitor;
  };
  // `typed`: the ticket, as a person may type it.
  Result<Opened> exchange(std::string_view typed, LocalTime now);

  // Empty: there is no such session, or it has ended. A session that is asked for is not idle.
  std::optional<Visitor> find(std::string_view secret, LocalTime now);
  // The same for a connection that is open.
  bool keep(const Visitor& visitor, LocalTime now);
  void end(std::string_view secret);

  // Ends what is over, or was issued by somebody who lost access. Call about once a second.
  void look(const std::function<bool(const Visitor& issuer)>& has_access, LocalTime now);

  [[nodiscard]] std::size_t tickets() const { return tickets_.size(); }
  [[nodiscard]] std::size_t sessions() const { return sessions_.size(); }

private:
  struct Ticket {
    std::string sha256;
    Visitor issuer;
    AccessRole role = AccessRole::view;
    LocalTime issued;
  };
  struct Session {
    Visitor visitor;
    Visitor issuer;
    LocalTime opened, used;
  };
  Session* session_of(std::string_view sha256, LocalTime now);

  std::vector<Ticket> tickets_;  // oldest first
  std::vector<Session> sessions_;
};

}  // namespace lw
