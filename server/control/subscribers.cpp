#include "server/control/subscribers.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

namespace lw {
namespace {

constexpr std::size_t unread_bytes_max = std::size_t{64} << 10U;

}  // namespace

bool Subscribers::any(bool Subscription::*wanted) const {
  return std::ranges::any_of(wanted_, [&](const auto& entry) { return entry.second.*wanted; });
}

void Subscribers::notify(std::string_view method, const Json& params, bool Subscription::*wanted,
                         bool droppable) const {
  if (wanted_.empty()) return;
  const auto text = std::make_shared<const std::string>(rpc_notification(method, params));
  for (const auto& [peer, subscription] : wanted_)
    if (wanted == nullptr || subscription.*wanted) peer->send(text, droppable);
}

void Subscribers::notify_who_keeps_up(std::string_view method, const Json& params, bool Subscription::*wanted) const {
  const auto text = std::make_shared<const std::string>(rpc_notification(method, params));
  for (const auto& [peer, subscription] : wanted_)
    if (subscription.*wanted && peer->unread_bytes() <= unread_bytes_max) peer->send(text, true);
}

}  // namespace lw
