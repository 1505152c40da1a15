// wall-probe stamp: measures a path to a STAMP or TWAMP-Light reflector.
#pragma once

#include "probe/command.h"

namespace lw {

Command stamp_command(CLI::App& program);

}  // namespace lw
