// wall-control --record DIR --seconds N: records a session without a window.
#pragma once

#include "wall-control/link/access.h"

#include <QString>

namespace lw {

// Runs the application's event loop until the time is over or SIGINT or SIGTERM arrives. Exit status: 0 statistics were
// recorded, 1 failed.
int record_once(const QString& address, const Access& access, const QString& folder, double seconds);

}  // namespace lw
