// wall-control --call METHOD [PARAMS]: one call of the control protocol, without a window.
#pragma once

#include "wall-control/link/access.h"

#include <QString>

namespace lw {

// Runs the application's event loop until the answer arrives. Exit status: 0 result printed, 1 failed, 2 bad params.
int call_once(const QString& address, const Access& access, const QString& method, const QString& params);

}  // namespace lw
