#include "common/web/own_names.h"

#include "common/access/peer_address.h"
#include "common/base/host_name.h"

#include <algorithm>
#include <optional>

namespace lw {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (auto& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (out.ends_with('.')) out.pop_back();  // the root
  return out;
}

bool is_port(std::string_view text) {
  return text.size() <= 5 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The part before the port; empty if there is no port.
std::optional<std::string_view> before_port(std::string_view host) {
  const auto colon = host.rfind(':');
  if (colon == std::string_view::npos || !is_port(host.substr(colon + 1))) return std::nullopt;
  return host.substr(0, colon);
}

std::string_view without_brackets(std::string_view host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

}  // namespace

OwnNames::OwnNames(const std::vector<std::string>& names) : names_{"localhost"} {
  for (const auto& name : names) names_.push_back(lower(name));
  const auto own = lower(host_name());
  if (own.empty()) return;
  names_.push_back(own);
  names_.push_back(own.substr(0, own.find('.')));
}

bool OwnNames::has(std::string_view host, const std::string& local) const {
  const auto is_own = [&](std::string_view name) {
    const std::string text(without_brackets(name));
    return is_loopback(text) || is_same_address(text, local) || has_name(text);
  };
  // An IPv6 address that some clients write without brackets may end like a port.
  if (const auto name = before_port(host); name && is_own(*name)) return true;
  return is_own(host);
}

bool OwnNames::has_name(std::string_view name) const {
  const auto called = lower(name);
  return std::ranges::any_of(names_, [&](const std::string& own) {
    if (own == called || is_same_address(own, called)) return true;
    const auto label = called.find('.');
    return own.starts_with("*.") && label != std::string::npos && label > 0 && called.substr(label) == own.substr(1);
  });
}

}  // namespace lw
