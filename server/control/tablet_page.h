// The page for tablets: its files, which are compiled in, posters, tickets and sessions. Decides which requests of
// browsers are admitted; all other requests are the gate's. docs/security.md has the rules. Control thread only.
#pragma once

#include "common/access/failure_limiter.h"
#include "common/access/gate.h"
#include "common/access/page_sessions.h"
#include "common/base/result.h"
#include "server/play/library.h"

#include <string>
#include <string_view>
#include <variant>

namespace lw {

class TabletPage {
public:
  // `library` and `gate` must outlive this object; `gate` null: only programs on this host are admitted without a
  // session.
  TabletPage(const Library& library, Gate* gate) : library_(library), gate_(gate) {}

  // Where browsers find the page, and the fingerprint of its certificate, if it has one.
  void set_place(std::string address, std::string fingerprint);
  [[nodiscard]] const std::string& address() const { return address_; }
  [[nodiscard]] const std::string& fingerprint() const { return fingerprint_; }

  std::variant<Visitor, HttpReply> admit(const WebRequest& request, LocalTime now);
  // Whether a path is the page's.
  static bool has(std::string_view path);
  // Of a request that was admitted.
  [[nodiscard]] HttpReply get(std::string_view path) const;
  HttpReply post(const WebRequest& request, std::string_view body, LocalTime now);

  [[nodiscard]] PageSessions& sessions() { return sessions_; }

private:
  HttpReply log_in(const WebRequest& request, std::string_view body, LocalTime now);
  HttpReply refuse_ticket(const WebRequest& request, const Error& error, LocalTime now);
  [[nodiscard]] HttpReply poster(std::string_view name) const;

  const Library& library_;
  Gate* const gate_;
  PageSessions sessions_;
  FailureLimiter failures_;  // of tickets
  std::string address_, fingerprint_;
};

}  // namespace lw
