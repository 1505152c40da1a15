#include "common/access/session_cookie.h"

#include "common/base/hex_digits.h"

#include <fmt/format.h>

namespace lw {
namespace {

// Browsers accept this prefix only with Secure, Path=/ and without Domain, so that no other host can set the cookie.
constexpr std::string_view session_cookie_name = "__Host-lambdawall";
constexpr std::string_view rules = "Path=/; Secure; HttpOnly; SameSite=Strict";

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view spaces = " \t";
  const auto first = text.find_first_not_of(spaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}

}  // namespace

std::string_view session_in(std::string_view cookies) {
  std::string_view found;
  while (!cookies.empty()) {
    const auto end = cookies.find(';');
    const auto cookie = without_spaces(cookies.substr(0, end));
    cookies = end == std::string_view::npos ? std::string_view() : cookies.substr(end + 1);
    const auto equals = cookie.find('=');
    if (equals == std::string_view::npos || cookie.substr(0, equals) != session_cookie_name) continue;
    if (!found.empty()) return {};
    found = cookie.substr(equals + 1);
    if (!are_digits(found, session_secret_digits)) return {};
  }
  return found;
}

std::string session_cookie(std::string_view secret) {
  return fmt::format("{}={}; {}", session_cookie_name, secret, rules);
}

std::string ended_session_cookie() { return fmt::format("{}=; Max-Age=0; {}", session_cookie_name, rules); }

}  // namespace lw
