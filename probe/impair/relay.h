// A UDP relay that stands in the way of many flows: what comes to listen:P goes, impaired, to target:P, and what the
// target answers goes back to who sent last. For any UDP application; one thread for each port and direction.
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
  std::string from;             // that packets leave from; empty: `listen`
  std::uint16_t from_port = 0;  // 0: the kernel chooses
  unsigned ports = 1;
  Impairment forward;
  Impairment backward;
  // DSCP and ECN of the packets that the relay sends, whatever those had that came.
  std::uint8_t forward_class = 0;
  std::uint8_t backward_class = 0;
  bool share_rate = false;  // all ports share one link of an impairment's rate, one in each direction
  std::uint64_t seed = 1;
  std::size_t memory_bytes = std::size_t{256} << 20U;  // for packets under way, of each port and direction
};

class Relay {
public:
  static Result<std::unique_ptr<Relay>> start(const RelaySettings& settings);
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Of all ports, from now on.
  void change(const Impairment& forward, const Impairment& backward);
  [[nodiscard]] RelayCounts forward_counts() const;
  [[nodiscard]] RelayCounts backward_counts() const;
  [[nodiscard]] RelayTimes forward_times() const;
  [[nodiscard]] RelayTimes backward_times() const;

private:
  Relay() = default;

  struct Port {
    UdpSocket front;  // towards who sends
    UdpSocket back;   // towards the target, connected
    std::mutex mutex;
    std::optional<Address> source;  // who sent last
    std::unique_ptr<RelayLane> forward;
    std::unique_ptr<RelayLane> backward;
  };
  Result<std::unique_ptr<Port>> open(const RelaySettings& settings, unsigned index);

  Bottleneck forward_link_;  // shared ones, which outlive the ports
  Bottleneck backward_link_;
  std::vector<std::unique_ptr<Port>> ports_;
};

}  // namespace lw
