#include "common/access/page_sessions.h"

#include "common/access/digest.h"
#include "common/access/session_cookie.h"
#include "common/access/tickets.h"

#include <algorithm>

namespace lw {

Result<std::string> PageSessions::issue(const Visitor& issuer, AccessRole role, LocalTime now) {
  auto ticket = random_ticket();
  if (!ticket) return ticket.error();
  if (tickets_.size() == tickets_max) tickets_.erase(tickets_.begin());
  tickets_.push_back({sha256_hex(*ticket), issuer, role, now});
  return ticket;
}

// Compares with all tickets, in the same time whether or how far one matches.
Result<PageSessions::Opened> PageSessions::exchange(std::string_view typed, LocalTime now) {
  const auto ticket = read_ticket(typed);
  const auto digest = sha256_hex(ticket.value_or(""));
  auto found = tickets_.end();
  for (auto it = tickets_.begin(); it != tickets_.end(); ++it)
    if (same_digits(it->sha256, digest)) found = it;
  if (found == tickets_.end() || now - found->issued >= ticket_time)
    return Error{"this ticket is not valid: it was used, is older than two minutes, or has a mistake",
                 "enter it again, or ask an operator for a new one"};
  auto secret = random_hex(session_secret_digits / 2);
  if (!secret) return secret.error();
  const auto used = std::move(*found);
  tickets_.erase(found);
  if (sessions_.size() == sessions_max) sessions_.erase(std::ranges::min_element(sessions_, {}, &Session::used));
  const Visitor visitor{"tablet of " + used.issuer.name, used.role, sha256_hex(*secret), true, true};
  sessions_.push_back({visitor, used.issuer, now, now});
  return Opened{std::move(*secret), visitor};
}

PageSessions::Session* PageSessions::session_of(std::string_view sha256, LocalTime now) {
  Session* found = nullptr;
  for (auto& session : sessions_)
    if (same_digits(session.visitor.token_sha256, sha256)) found = &session;
  if (found == nullptr || now - found->used >= idle_time || now - found->opened >= session_time) return nullptr;
  return found;
}

std::optional<Visitor> PageSessions::find(std::string_view secret, LocalTime now) {
  auto* const session = session_of(sha256_hex(secret), now);
  if (session == nullptr) return std::nullopt;
  session->used = now;
  return session->visitor;
}

bool PageSessions::keep(const Visitor& visitor, LocalTime now) {
  auto* const session = session_of(visitor.token_sha256, now);
  if (session != nullptr) session->used = now;
  return session != nullptr;
}

void PageSessions::end(std::string_view secret) {
  const auto digest = sha256_hex(secret);
  std::erase_if(sessions_, [&](const Session& session) { return session.visitor.token_sha256 == digest; });
}

void PageSessions::look(const std::function<bool(const Visitor& issuer)>& has_access, LocalTime now) {
  std::erase_if(tickets_,
                [&](const Ticket& ticket) { return now - ticket.issued >= ticket_time || !has_access(ticket.issuer); });
  std::erase_if(sessions_, [&](const Session& session) {
    return now - session.used >= idle_time || now - session.opened >= session_time || !has_access(session.issuer);
  });
}

}  // namespace lw
