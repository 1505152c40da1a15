// What the sending half of a flow needs from its host: for each path a socket for media and one for RTCP, bound to an
// address of the server and connected to the end of the path; the time; and the numbers of its streams. A flow
// has one path to its node, or two over different networks (SMPTE ST 2022-7), and paths to sites (site_paths.h). It
// sends the same packets by all of them.
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

// The end of a path.
enum class PathEnd : std::uint8_t {
  node,    // the flow's node
  relay,   // of a site
  group,   // that nodes of sites have joined: gets frames and the sender's reports
  member,  // a node that has joined the group before it in the list: reports, requests, and gets resends
};

struct SenderPorts {
  struct Path {
    std::unique_ptr<DatagramPort> media;
    std::unique_ptr<DatagramPort> control;  // on the next higher port
    PathEnd end = PathEnd::node;
    // Of a relay or member: the place of its site in Wall::sites, and the site's limit.
    unsigned site = 0;
    unsigned resend_percent = 0;
  };
  std::vector<Path> paths;  // first those to the node, one for each of its addresses
  std::unique_ptr<HostClock> clock = std::make_unique<OwnHostClock>();
  std::string server = {};                     // the name of the one that sends
  StreamNumbers numbers;                       // until a frame comes with others
  std::optional<clockid_t> departure_clock{};  // of the interface's queueing discipline, if that does the pacing
};

// Sockets of the kernel. An error names the address or port that cannot be used.
Result<SenderPorts> open_sender_ports(const Wall& wall, const WallServer& server, const Band& band);

}  // namespace lw
