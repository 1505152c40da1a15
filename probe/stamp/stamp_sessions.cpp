#include "probe/stamp/stamp_sessions.h"

#include <algorithm>

namespace lw {
namespace {

std::string key_of(const Address& sender, std::string_view local, std::uint16_t session) {
  std::string key(local);
  const auto host = sender.host_bytes();
  key.append(reinterpret_cast<const char*>(host.data()), host.size());
  for (const auto number : {sender.port(), session}) {
    key.push_back(static_cast<char>(number >> 8U));
    key.push_back(static_cast<char>(number & 0xffU));
  }
  return key;
}

}  // namespace

StampSession& StampSessions::of(const Address& sender, std::string_view local, const StampRequest& request,
                                LocalTime now) {
  const auto key = key_of(sender, local, request.session);
  if (sessions_.size() >= most && !sessions_.contains(key))
    sessions_.erase(std::ranges::min_element(sessions_, {}, [](const auto& session) { return session.second.used; }));
  const auto [found, is_new] = sessions_.try_emplace(key);
  auto& entry = found->second;
  const bool restarts = request.sequence == 0 && request.time != entry.first_time;
  if (is_new || restarts || now - entry.used > idle_max) {
    entry.session = {};
    entry.first_time = request.time;
  }
  entry.used = now;
  return entry.session;
}

}  // namespace lw
