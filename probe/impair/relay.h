// A UDP relay on the path of many flows: packets to listen:P are forwarded, impaired, to target:P, and the target's
// packets are returned to the latest sender. Works for any UDP application; one thread for each port and direction.
#pragma once

#include "common/base/result.h"
#include "probe/impair/relay_lane.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace lw {

struct RelaySettings {
  std::string listen = "127.0.0.1";  // numeric addresses
  std::uint16_t listen_port = 0;     // the first of `ports`
  std::string target = "127.0.0.1";
  std::uint16_t target_port = 0;
  std::string from;             // source address of forwarded packets; empty: `listen`
  std::uint16_t from_port = 0;  // 0: the kernel chooses
  unsigned ports = 1;
  Impairment forward;
  Impairment backward;
  // DSCP and ECN of the packets that the relay sends, whatever the received ones had.
  std::uint8_t forward_class = 0;
  std::uint8_t backward_class = 0;
  bool share_rate = false;  // all ports share one link with the impairment's rate in each direction
  std::uint64_t seed = 1;
  std::size_t memory_bytes = std::size_t{256} << 20U;  // for packets in flight, per port and direction
};

class Relay {
public:
  static Result<std::unique_ptr<Relay>> start(const RelaySettings& settings);
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Takes effect on all ports at once.
  void change(const Impairment& forward, const Impairment& backward);
  [[nodiscard]] RelayCounts forward_counts() const;
  [[nodiscard]] RelayCounts backward_counts() const;
  [[nodiscard]] RelayTimes forward_times() const;
  [[nodiscard]] RelayTimes backward_times() const;

private:
  Relay() = default;

  struct Port {
    UdpSocket front;  // towards the sender
    UdpSocket back;   // towards the target, connected
    std::mutex mutex;
    std::optional<Address> source;  // the latest sender
    std::unique_ptr<RelayLane> forward;
    std::unique_ptr<RelayLane> backward;
  };
  Result<std::unique_ptr<Port>> open(const RelaySettings& settings, unsigned index);

  Bottleneck forward_link_;  // shared by the ports, so they must outlive them
  Bottleneck backward_link_;
  std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace lw
