// A client's request for admission, the identity of an admitted client, and the answer to the others.
#pragma once

#include "common/access/access_role.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

// What the server knows about a client that asks for admission.
struct WebRequest {
  std::string host;        // numeric, without the port
  bool trusted = false;    // on this host
  bool upgrade = false;    // to a WebSocket; false: a GET or POST
  std::string_view path;   // without '?' and what follows it
  std::string_view token;  // empty: none
  bool from_page = false;  // by a page that this port served; requests of other pages are refused before
  std::string_view cookies = {};
};

// The identity of an admitted client.
struct Visitor {
  std::string name = "loopback";  // of the token
  AccessRole role = AccessRole::administer;
  std::string token_sha256 = {};  // or of the session's secret; empty: none was needed
  bool is_known = true;           // false: showed no token, and takes one of the places for unknown clients
  bool by_session = false;        // a page that was opened with a ticket
};

struct HttpReply {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  // additional headers
};

}  // namespace lw
