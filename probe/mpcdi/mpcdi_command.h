// `wall-probe mpcdi`: turns the projectors of an MPCDI file into a wall file.
#pragma once

#include "probe/command.h"

namespace lw {

Command mpcdi_command(CLI::App& program);

}  // namespace lw
