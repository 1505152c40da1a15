// The wall's figures as tables for the connections that subscribed with `telemetry`. A separate thread encodes them, so
// that a wall with many flows does not delay the control thread, which hands over the statistics and sends the result.
// Control thread only, except the work that it hands over.
#pragma once

#include "common/messages/stats_tables.h"
#include "common/web/web_server.h"

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace lw {

// Runs `work` on another thread, then `done` on the control thread. Empty: both run immediately.
using EncodingThread = std::function<void(std::function<void()> work, std::function<void()> done)>;

class TelemetryStream {
public:
  void encode_by(EncodingThread thread) { thread_ = std::move(thread); }
  void set(WebPeer& peer, const TelemetryRequest& request);
  void remove(WebPeer* peer) { listeners_.erase(peer); }

  [[nodiscard]] bool any() const { return !listeners_.empty(); }
  // Tenths of a second between messages with all figures of flows, at most; nothing if nobody wants them.
  [[nodiscard]] std::optional<unsigned> flows_every() const;
  // Call ten times a second. Does nothing while the previous statistics are still being encoded.
  void send(std::shared_ptr<const Stats> stats);

private:
  struct Listener {
    unsigned flows_every = 0;
    bool has_full = false;  // and each difference since
  };
  // The same for all listeners of a kind: without flows, and with them.
  struct Kind {
    StatsTablesSender tables;  // belongs to the encoding thread while it works
    std::string differences, full;
    bool is_wanted = false;
    bool full_wanted = false;
  };
  static std::size_t kind_of(const Listener& listener) { return listener.flows_every > 0 ? 1 : 0; }
  void deliver();

  EncodingThread thread_;
  std::map<WebPeer*, Listener> listeners_;
  std::array<Kind, 2> kinds_{Kind{StatsTablesSender(false), {}, {}}, Kind{StatsTablesSender(true), {}, {}}};
  bool is_encoding_ = false;
  unsigned calls_ = 0;
};

}  // namespace lw
