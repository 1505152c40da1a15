// Which callers are admitted with which role, and what is logged about the others. With a clock set by the test.
#include "common/access/gate.h"

#include "tests/support/temporary_folder.h"

#include <spdlog/spdlog.h>
#include <catch2/catch.hpp>

#include <algorithm>

using namespace lw;
using lw::test::TemporaryFolder;
using namespace std::chrono_literals;

namespace {

constexpr LocalTime start{std::chrono::hours(1)};

unsigned status(const std::variant<Visitor, HttpReply>& decision) {
  const auto* reply = std::get_if<HttpReply>(&decision);
  return reply == nullptr ? 0 : reply->status;
}

}  // namespace

TEST_CASE("a token allows what its role has") {
  spdlog::set_level(spdlog::level::off);
  const TemporaryFolder folder;
  Gate gate(folder.path);
  const auto file = folder.path / "tokens.json";
  const auto desk = add_token(file, "desk", AccessRole::view).value();
  const auto left = add_token(file, "left", AccessRole::node).value();  // added while the gate exists
  const auto ask = [&](std::string_view token, bool upgrade, std::string_view path = "/metrics") {
    return gate.admit({"10.0.0.1", false, upgrade, path, token}, start);
  };
  CHECK(std::get<Visitor>(ask(desk, true)).name == "desk");
  CHECK(status(ask(desk, false)) == 0);
  CHECK(std::get<Visitor>(ask(left, true)).role == AccessRole::node);
  CHECK(status(ask(left, false)) == 403);
  CHECK(status(ask("", false, "/healthz")) == 0);
  CHECK(status(ask("", true, "/healthz")) == 401);
  const auto refused = std::get<HttpReply>(ask("lw-no", false));
  CHECK(refused.status == 401);
  CHECK(refused.headers == decltype(refused.headers){{"WWW-Authenticate", "Bearer"}});
  CHECK(status(gate.admit({"127.0.0.1", true, true, "/", ""}, start)) == 0);
}

TEST_CASE("a host that guesses is answered 429 with the time to wait, and does not fill the log") {
  spdlog::set_level(spdlog::level::off);
  const TemporaryFolder folder;
  Gate gate(folder.path);
  const auto guess = [&](LocalTime now) { return gate.admit({"10.0.0.1", false, true, "/", "lw-guess"}, now); };
  for (int i = 0; i < 5; ++i) CHECK(status(guess(start)) == 401);
  for (int i = 0; i < 1000; ++i) CHECK(status(guess(start + 30s)) == 429);
  CHECK(std::get<HttpReply>(guess(start + 30s)).headers == decltype(HttpReply::headers){{"Retry-After", "30"}});
  CHECK(status(gate.admit({"10.0.0.2", false, true, "/", "lw-guess"}, start + 30s)) == 401);
  gate.tell_attempts(start + 60s);
  const auto text = folder.read("audit-attempts.ndjson");
  CHECK(std::ranges::count(text, '\n') == 3);  // the first of each host, and what came behind the one
  CHECK_THAT(text, Catch::Contains("\"calls\":4") && Catch::Contains("refused: a wrong token, waits"));
  CHECK_THAT(text, !Catch::Contains("lw-guess"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "audit.ndjson"));
  CHECK(status(guess(start + 61s)) == 401);
}
