// The paths of a flow to the sites of its wall: one to each relay, one to each group, and one to each node that has
// joined a group.
#pragma once

#include "common/base/result.h"
#include "common/wall/geometry.h"
#include "server/send/sender_ports.h"

#include <vector>

namespace lw {

// From `server`, which sends the flow or stands by for the one that does. Sockets of the kernel. They do not block: a
// site whose network is too slow loses packets, and delays nobody else. They leave from ports that the kernel chooses,
// so that they do not collide with those of the paths to nodes. An error names the site, and the address or port that
// cannot be used.
Result<void> open_site_paths(const Wall& wall, const WallServer& server, const Band& band,
                             std::vector<SenderPorts::Path>& paths);

}  // namespace lw
