// wall-probe capacity: the highest rate of a path, by RFC 9097.
#pragma once

#include "probe/command.h"

namespace lw {

Command capacity_command(CLI::App& program);

}  // namespace lw
