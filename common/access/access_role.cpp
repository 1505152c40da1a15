#include "common/access/access_role.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace lw {
namespace {

constexpr std::array<std::string_view, 5> names{"view", "operate", "administer", "node", "server"};

using enum AccessRole;
// docs/protocol.md has the same table; a test compares them.
constexpr std::array<std::pair<std::string_view, std::optional<AccessRole>>, 35> needed{{
    {"info", std::nullopt},
    {"list", view},
    {"image", view},
    {"plan", view},
    {"describe", administer},
    {"delete", administer},
    {"state", view},
    {"load", operate},
    {"play", operate},
    {"pause", operate},
    {"stop", operate},
    {"seek", operate},
    {"rate", operate},
    {"loop", operate},
    {"playlist", operate},
    {"next", operate},
    {"sound", operate},
    {"identify", operate},
    {"mark", operate},
    {"pattern", operate},
    {"subscribe", view},
    {"unsubscribe", view},
    {"stats", view},
    {"telemetry", view},
    {"trace", view},
    {"machines", view},
    {"placement", view},
    {"place", administer},
    {"coordinate", administer},
    {"import", administer},
    {"import.cancel", administer},
    {"summary", view},
    {"tablet_ticket", operate},
    {"import.places", administer},
    {"import.probe", administer},
}};

}  // namespace

std::string_view name_of(AccessRole role) { return names[static_cast<std::size_t>(role)]; }

std::optional<AccessRole> access_role(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<AccessRole>(found - names.begin());
}

std::optional<AccessRole> role_needed(std::string_view method) {
  if (method.starts_with("node.")) return node;
  if (method.starts_with("server.")) return server;
  const auto found = std::ranges::find(needed, method, &decltype(needed)::value_type::first);
  return found == needed.end() ? administer : found->second;
}

}  // namespace lw
