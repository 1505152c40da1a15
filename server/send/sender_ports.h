// What the sending half of a flow needs from its host: for each path to its node a socket for media and one for RTCP,
// bound to an address of the server and connected to one of the node; the time; and the numbers of its streams.
// A flow has one path, or two over different networks (SMPTE ST 2022-7), over which it sends the same packets.
#pragma once

#include "common/base/result.h"
#include "common/clock/host_clock.h"
#include "common/net/datagram_port.h"
#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"
#include "server/send/stream_numbers.h"

#include <ctime>
#include <memory>
#include <optional>
#include <vector>

namespace lw {

struct SenderPorts {
  struct Path {
    std::unique_ptr<DatagramPort> media;
    std::unique_ptr<DatagramPort> control;  // on the next higher port
  };
  std::vector<Path> paths;  // one for each address of the node
  std::unique_ptr<HostClock> clock = std::make_unique<OwnHostClock>();
  std::string server = {};                     // the name of the one that sends
  StreamNumbers numbers;                       // until a frame comes with others
  std::optional<clockid_t> departure_clock{};  // of the interface's queueing discipline, if that does the pacing
};

// Sockets of the kernel. An error names the address or port that cannot be used.
Result<SenderPorts> open_sender_ports(const Wall& wall, const WallServer& server, const Band& band);

}  // namespace lw
