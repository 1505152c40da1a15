// Which cookie of a request is the session's, whatever else the browser sends, and how long and for whom browsers keep
// it.
#include "common/access/session_cookie.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

using namespace lw;

namespace {

const std::string secret(session_secret_digits, 'a');
const std::string name = "__Host-lambdawall=";

}  // namespace

TEST_CASE("the session's secret is found among other cookies") {
  CHECK(session_in(name + secret) == secret);
  CHECK(session_in("a=b; " + name + secret + "; c=d") == secret);
  CHECK(session_in(" ;;\t" + name + secret + " ;") == secret);
}

TEST_CASE("other cookies and wrong secrets are not a session") {
  for (const auto& cookies :
       {std::string(), std::string("="), std::string(";;; ;"), name, "lambdawall=" + secret,
        "__host-lambdawall=" + secret, "x" + name + secret, name + secret + "a", name + secret.substr(1),
        name + std::string(session_secret_digits, 'A'), name + "\"" + secret + "\"",
        name + secret + "; " + name + secret, name + "; " + name + secret.substr(2)}) {
    INFO(cookies);
    CHECK(session_in(cookies).empty());
  }
}

TEST_CASE("arbitrary cookies give a secret of the right form, or none") {
  std::mt19937 random(20261127);
  const std::vector<std::string> parts{name,  secret, ";", " ", "=", "a=b", "\t", "__Host-", std::string(1, '\0'),
                                       "\xff"};
  for (int round = 0; round < 20'000; ++round) {
    std::string cookies;
    for (auto count = random() % 8; count > 0; --count) cookies += parts[random() % parts.size()];
    const auto found = session_in(cookies);
    CHECK((found.empty() || found == secret));
  }
}

TEST_CASE("browsers keep the secret to this host, to TLS, and from scripts") {
  const auto cookie = session_cookie(secret);
  CHECK(cookie == name + secret + "; Path=/; Secure; HttpOnly; SameSite=Strict");
  CHECK(session_in(cookie.substr(0, cookie.find(';'))) == secret);
  CHECK(ended_session_cookie() == name + "; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Strict");
}
