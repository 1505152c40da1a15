// wall-probe stamp: measures a path with a STAMP or TWAMP-Light reflector at its end.
#pragma once

#include "probe/command.h"

namespace lw {

Command stamp_command(CLI::App& program);

}  // namespace lw
