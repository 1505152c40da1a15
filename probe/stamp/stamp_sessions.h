// The sessions of a stateful reflector, by both addresses, the sender's port and the session identifier (RFC 8972
// section 3). Bounded: a new session replaces the one that was idle longest. One thread.
#pragma once

#include "common/net/address.h"
#include "probe/stamp/reflection.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace lw {

class StampSessions {
public:
  static constexpr std::size_t most = 1024;
  static constexpr std::chrono::minutes idle_max{5};  // after which a session starts again

  // `local`: the address to which the packet was sent, in any unique form. A request with the number 0 restarts the
  // session, unless it is a copy of the one that started it.
  StampSession& of(const Address& sender, std::string_view local, const StampRequest& request, LocalTime now);
  [[nodiscard]] std::size_t count() const { return sessions_.size(); }

private:
  struct Entry {
    StampSession session;
    std::uint64_t first_time = 0;  // of the request that started it
    LocalTime used{};
  };
  std::map<std::string, Entry> sessions_;
};

}  // namespace lw
