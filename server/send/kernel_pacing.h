// Pacing by the kernel (Pacing::kernel): which flows leave by an interface whose queueing discipline keeps the times
// that packets carry.
#pragma once

#include "common/host/nic.h"
#include "common/wall/wall_file.h"

#include <ctime>
#include <optional>
#include <vector>

namespace lw {

// The clock of the queueing discipline that paces this flow; empty if the flow's thread must. Logs, once for each
// interface, which discipline or permission is missing.
std::optional<clockid_t> departure_clock_of(const Wall& wall, const WallServer& server, unsigned flow,
                                            const std::vector<Nic>& nics);

}  // namespace lw
