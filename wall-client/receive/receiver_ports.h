// What the receiving half of a flow has of its host: sockets and the time. One thread, the flow's.
#pragma once

#include "common/base/result.h"
#include "common/clock/host_clock.h"
#include "common/concurrency/doorbell.h"
#include "common/net/datagram_port.h"
#include "common/wall/geometry.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace lw {

struct ReceiverPorts {
  std::unique_ptr<DatagramPort> media;
  std::vector<std::unique_ptr<DatagramPort>> control;  // one above, at each address of the node
  std::unique_ptr<HostClock> clock = std::make_unique<OwnHostClock>();
  // The media's receive waits a while for a packet: a flow alone on its thread. Else whoever steps it waits.
  bool waits = true;
  Doorbell* presenter = nullptr;  // rung for each finished band and each decision on what is shown; outlives this
  std::size_t receive_buffer_bytes = 0;  // that the kernel granted
  bool keeps_out = false;                // the kernel drops packets of other hosts than the server's
  bool counts_drops = false;             // the kernel counts what a full socket drops
};

// How long a receive that waits does. Bounds how late a deadline is noticed when nothing arrives.
inline constexpr std::chrono::milliseconds receive_timeout{4};

// The kernel's, bound to the flow's ports. An error names the port or address that is not available.
Result<ReceiverPorts> open_receiver_ports(const Wall& wall, const Band& band);

}  // namespace lw
