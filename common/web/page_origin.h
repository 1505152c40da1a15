// The origin of a web page (RFC 6454): its scheme, host and port, which browsers send with requests of the page.
#pragma once

#include <string_view>

namespace lw {

// Whether the page came from where its request goes to: over TLS or not, as this request (`secure`), and from the host
// and port that the request names (`host`, its Host header). (Fuzzed.)
bool is_own_origin(std::string_view origin, std::string_view host, bool secure);

}  // namespace lw
