// What the receiving half of a flow needs from its host: sockets and the time. One thread (the flow's).
#pragma once

#include "common/base/result.h"
#include "common/clock/host_clock.h"
#include "common/concurrency/doorbell.h"
#include "common/memory/pages.h"
#include "common/net/card_clock.h"
#include "common/net/datagram_port.h"
#include "common/wall/geometry.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace lw {

class NodeHoldings;

struct ReceiverPorts {
  std::unique_ptr<DatagramPort> media;
  std::vector<std::unique_ptr<DatagramPort>> control;  // on the next higher port, at each address of the node
  std::unique_ptr<HostClock> clock = std::make_unique<OwnHostClock>();
  std::uint32_t ssrc = 0;  // of its reports and requests; random (RFC 3550 section 8.1)
  // The media port's receive call may wait for a packet (FlowReceiver::step). It always does as long as nobody calls
  // stand_alone().
  bool waits = true;
  // Where the flow is noted for each finished band and each decision on what is shown; or null. Must outlive the flow.
  BellBoard* presenter = nullptr;
  // Shared by the flows of a node; or null: the flow reports for itself. Must outlive the flow.
  NodeHoldings* holdings = nullptr;
  // FlowReceiver::memory_bytes for its band buffers, which the GPU reads; or none: the flow allocates its own. Must
  // outlive the flow.
  Pages memory = {};
  std::size_t receive_buffer_bytes = 0;        // as granted by the kernel
  bool keeps_out = false;                      // the kernel drops packets from hosts other than the server
  bool counts_drops = false;                   // the kernel counts packets dropped because the socket is full
  std::shared_ptr<const CardLines> card = {};  // the clock of the card that stamps what arrives; null: the kernel does
};

// How long a waiting receive call waits. Bounds how late a deadline is noticed if nothing arrives.
inline constexpr std::chrono::milliseconds receive_timeout{4};

// The clock of the card that has this address, if the wall asks for its time stamps; else null.
Result<std::shared_ptr<const CardLines>> card_of(const Wall& wall, const Address& local);

// Sockets of the kernel, bound to the flow's ports. An error names the port or address that is not available. `site`:
// of the node, which joins the site's group if it has one; null: it is a node of the wall itself.
Result<ReceiverPorts> open_receiver_ports(const Wall& wall, const Band& band, const WallSite* site = nullptr);

}  // namespace lw
