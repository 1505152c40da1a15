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
  bool upgrade = false;    // to a WebSocket; false: a GET
  std::string_view path;   // without '?' and what follows it
  std::string_view token;  // empty: none
};

// The identity of an admitted client.
struct Visitor {
  std::string name = "loopback";  // of the token
  AccessRole role = AccessRole::administer;
  std::string token_sha256 = {};  // empty: none was needed
  bool is_known = true;           // false: showed no token, and takes one of the places for unknown clients
};

struct HttpReply {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  // additional headers
};

}  // namespace lw
