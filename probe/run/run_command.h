// wall-probe run: one measurement.
#pragma once

#include "probe/command.h"

namespace lw {

Command run_command(CLI::App& program);

}  // namespace lw
