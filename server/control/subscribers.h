// The connections that subscribed to notifications, and to which of them. Control thread only.
#pragma once

#include "common/messages/rpc.h"
#include "common/web/web_server.h"

#include <map>
#include <string_view>

namespace lw {

struct Subscription {
  bool stats = true;
  bool events = true;
  bool pictures = false;  // previews of the tiles
};

class Subscribers {
public:
  void set(WebPeer& peer, const Subscription& wanted) { wanted_[&peer] = wanted; }
  void remove(WebPeer* peer) { wanted_.erase(peer); }
  [[nodiscard]] bool any(bool Subscription::*wanted) const;

  // Sends to those that want this (null: to all). A peer that reads too slowly misses droppable messages.
  void notify(std::string_view method, const Json& params, bool Subscription::*wanted, bool droppable) const;
  // Skips peers with unread messages: the queue of a slow connection is needed for figures and events.
  void notify_who_keeps_up(std::string_view method, const Json& params, bool Subscription::*wanted) const;

private:
  std::map<WebPeer*, Subscription> wanted_;
};

}  // namespace lw
