// Who asks to be let in, who somebody let in is, and what the others are answered.
#pragma once

#include "common/access/access_role.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lw {

// What is known of somebody who wants to come in.
struct WebRequest {
  std::string host;        // numeric, without the port
  bool trusted = false;    // on this host
  bool upgrade = false;    // to a WebSocket; else a GET
  std::string_view path;   // without what follows '?'
  std::string_view token;  // empty: none
};

// Who somebody let in is.
struct Visitor {
  std::string name = "loopback";  // of the token
  AccessRole role = AccessRole::administer;
  std::string token_sha256 = {};  // empty: needed none
  bool is_known = true;           // false: showed nothing, and takes one of the places for unknown clients
};

struct HttpReply {
  unsigned status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};  // and these
};

}  // namespace lw
