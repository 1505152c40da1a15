// The ledger of the network: each packet that a server sent in a stream has arrived or is lost, whatever happened.
// Compared at moments at which nothing is in flight.
#pragma once

#include "tests/simulate/node.h"
#include "tests/simulate/server.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lw::simulate {

// How long nothing is sent before ledgers are compared: frames that were read ahead are sent, and have arrived.
inline constexpr std::chrono::milliseconds still_for{450};

class NetworkLedger {
public:
  using Break = std::function<void(const std::string& law)>;

  explicit NetworkLedger(Break on_break) : on_break_(std::move(on_break)) {}

  // Between two such moments, a server process sent as much as a node's process counted of its stream. Not if flows
  // changed between a format whose frames vary in length and another one: how many packets the last frames had is
  // unknown if none of these arrived (common/metrics/varying_frames.h).
  void compare(const Server& server, const std::vector<std::unique_ptr<Node>>& nodes, const Network& network);

private:
  struct Totals {  // of a flow
    std::uint64_t server_process = 0;
    std::uint64_t node_process = 0;
    std::uint32_t ssrc = 0;
    std::uint64_t sent = 0;
    std::uint64_t expected = 0;
  };

  const Break on_break_;
  std::map<unsigned, Totals> before_;  // by flow
  std::uint64_t changes_before_ = 0;   // of length
};

}  // namespace lw::simulate
