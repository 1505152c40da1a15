// Tickets are exchanged once and in time; sessions end when they are idle, old, logged out or no longer wanted. With a
// clock set by the test.
#include "common/access/page_sessions.h"

#include "common/access/session_cookie.h"
#include "common/base/hex_digits.h"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <string>
#include <vector>

using namespace lw;
using namespace std::chrono_literals;

namespace {

constexpr LocalTime start{std::chrono::hours(1)};
const Visitor desk{"desk", AccessRole::operate, "0123", true};

bool everybody(const Visitor& /*issuer*/) { return true; }

struct Sessions : PageSessions {
  std::string ticket(LocalTime now = start, AccessRole role = AccessRole::operate) {
    return issue(desk, role, now).value();
  }
  std::string open(LocalTime now = start) { return exchange(ticket(now), now).value().secret; }
};

}  // namespace

TEST_CASE("a ticket opens one session, with its role, in its issuer's name") {
  Sessions sessions;
  const auto ticket = sessions.ticket(start, AccessRole::view);
  const auto opened = sessions.exchange(ticket, start).value();
  CHECK(are_digits(opened.secret, session_secret_digits));
  CHECK(opened.visitor.name == "tablet of desk");
  CHECK(opened.visitor.role == AccessRole::view);
  CHECK(opened.visitor.by_session);
  CHECK(opened.visitor.is_known);
  CHECK(opened.visitor.token_sha256 != desk.token_sha256);
  CHECK(sessions.find(opened.secret, start)->name == "tablet of desk");
  const auto again = sessions.exchange(ticket, start);
  REQUIRE_FALSE(again.has_value());
  CHECK(again.error().text() ==
        "this ticket is not valid: it was used, is older than two minutes, or has a mistake; enter it again, or ask an "
        "operator for a new one");
  CHECK(sessions.sessions() == 1);
}

TEST_CASE("a ticket is valid for two minutes") {
  Sessions sessions;
  const auto early = sessions.ticket();
  const auto late = sessions.ticket();
  CHECK(sessions.exchange(early, start + 120s - 1ns).has_value());
  CHECK_FALSE(sessions.exchange(late, start + 120s).has_value());
  sessions.look(everybody, start + 120s);
  CHECK(sessions.tickets() == 0);
}

TEST_CASE("guesses open no session") {
  Sessions sessions;
  const auto ticket = sessions.ticket();
  for (const char* guess : {"", "00000000", "not a ticket at all, but something much longer"})
    CHECK_FALSE(sessions.exchange(guess, start).has_value());
  CHECK_FALSE(sessions.find("", start).has_value());
  CHECK_FALSE(sessions.find(std::string(session_secret_digits, '0'), start).has_value());
  CHECK_FALSE(sessions.find(ticket, start).has_value());
  CHECK(sessions.exchange(ticket, start).has_value());
}

TEST_CASE("a session ends when it is idle, and when it is old") {
  Sessions sessions;
  const auto secret = sessions.open();
  CHECK(sessions.find(secret, start + 29min).has_value());
  CHECK(sessions.find(secret, start + 58min).has_value());
  CHECK_FALSE(sessions.find(secret, start + 58min + 30min).has_value());
  const auto busy = sessions.exchange(sessions.ticket(), start).value();
  auto now = start;
  while (sessions.keep(busy.visitor, now)) now += 1min;
  CHECK(now - start == PageSessions::session_time);
  sessions.look(everybody, now);
  CHECK(sessions.sessions() == 0);
}

TEST_CASE("a session ends when its browser logs out, and when its issuer loses access") {
  Sessions sessions;
  const auto one = sessions.open();
  const auto other = sessions.open();
  sessions.end(one);
  CHECK_FALSE(sessions.find(one, start).has_value());
  CHECK(sessions.find(other, start).has_value());
  sessions.ticket();
  sessions.look([](const Visitor& issuer) { return issuer.name != "desk"; }, start);
  CHECK_FALSE(sessions.find(other, start).has_value());
  CHECK(sessions.tickets() == 0);
}

TEST_CASE("the oldest ticket and the session idle for longest give way") {
  Sessions sessions;
  const auto first = sessions.ticket();
  for (std::size_t i = 0; i < PageSessions::tickets_max; ++i) sessions.ticket();
  CHECK(sessions.tickets() == PageSessions::tickets_max);
  CHECK_FALSE(sessions.exchange(first, start).has_value());
  std::vector<std::string> secrets;
  for (std::size_t i = 0; i < PageSessions::sessions_max; ++i) secrets.push_back(sessions.open(start + i * 1s));
  CHECK(sessions.find(secrets[0], start + 70s).has_value());
  sessions.open(start + 71s);
  CHECK(sessions.sessions() == PageSessions::sessions_max);
  CHECK(sessions.find(secrets[0], start + 72s).has_value());
  CHECK_FALSE(sessions.find(secrets[1], start + 72s).has_value());
}

TEST_CASE("whatever happens in whatever order, no ticket is exchanged twice and nothing grows") {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    std::mt19937 random(seed);
    Sessions sessions;
    std::map<std::string, LocalTime> issued;  // tickets not yet exchanged
    std::map<std::string, LocalTime> used;    // secrets
    auto now = start;
    for (int step = 0; step < 3000; ++step) {
      now += random() % 20 * 1s;
      const auto any = [&](auto& from) { return std::next(from.begin(), static_cast<long>(random() % from.size())); };
      switch (random() % 5) {
        case 0:
          issued.emplace(sessions.ticket(now), now);
          break;
        case 1:
          if (!issued.empty()) {
            const auto ticket = any(issued);
            const auto opened = sessions.exchange(ticket->first, now);
            if (opened) {
              CHECK(now - ticket->second < PageSessions::ticket_time);
              CHECK_FALSE(sessions.exchange(ticket->first, now).has_value());
              CHECK(used.emplace(opened->secret, now).second);
            }
            issued.erase(ticket);
          }
          break;
        case 2:
          if (!used.empty()) {
            const auto session = any(used);
            if (sessions.find(session->first, now)) {
              CHECK(now - session->second < PageSessions::idle_time);
              session->second = now;
            } else {
              used.erase(session);
            }
          }
          break;
        case 3:
          if (!used.empty() && random() % 4 == 0) {
            const auto session = any(used);
            sessions.end(session->first);
            CHECK_FALSE(sessions.find(session->first, now).has_value());
            used.erase(session);
          }
          break;
        default:
          sessions.look(everybody, now);
      }
      CHECK(sessions.tickets() <= PageSessions::tickets_max);
      CHECK(sessions.sessions() <= PageSessions::sessions_max);
    }
  }
}
