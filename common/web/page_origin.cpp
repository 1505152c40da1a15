#include "common/web/page_origin.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>

namespace lw {
namespace {

constexpr std::size_t place_bytes_max = 300;  // a host name has at most 253

// HOST[:PORT] in lower case with the port, which browsers omit if it is the scheme's own. Empty if it is neither a name
// nor an address: with a user, a path, or without a host.
std::optional<std::string> place_of(std::string_view text, std::string_view usual_port) {
  if (text.empty() || text.size() > place_bytes_max) return std::nullopt;
  const auto bracket = text.rfind(']');  // of an IPv6 address
  const auto colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const auto name = text.substr(0, colon);
  const auto port = colon == std::string_view::npos ? usual_port : text.substr(colon + 1);
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-._[]:").find(c) != std::string_view::npos;
  });
  const bool is_port =
      !port.empty() && port.size() <= 5 && std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_name || !is_port) return std::nullopt;
  std::string place;
  for (const char c : name) place += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return place.append(":").append(port);
}

}  // namespace

bool is_own_origin(std::string_view origin, std::string_view host, bool secure) {
  const std::string_view scheme = secure ? "https://" : "http://";
  const std::string_view usual_port = secure ? "443" : "80";
  if (!origin.starts_with(scheme)) return false;
  const auto page = place_of(origin.substr(scheme.size()), usual_port);
  const auto here = place_of(host, usual_port);
  return page && here && *page == *here;
}

}  // namespace lw
