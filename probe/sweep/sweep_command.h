// wall-probe sweep: an experiment of many runs.
#pragma once

#include "probe/command.h"

namespace lw {

Command sweep_command(CLI::App& program);

}  // namespace lw
