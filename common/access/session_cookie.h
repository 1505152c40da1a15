// The cookie by which a browser shows the secret of its session. Browsers return it to the host that set it, over TLS
// or loopback, only for requests of that host's own pages, and hide it from scripts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lw {

inline constexpr std::size_t session_secret_digits = 64;

// The secret in a request's Cookie header; empty: there is none, more than one, or one of another form. (Fuzzed.)
std::string_view session_in(std::string_view cookies);

// Values of Set-Cookie: for a new session, and when one has ended.
std::string session_cookie(std::string_view secret);
std::string ended_session_cookie();

}  // namespace lw
