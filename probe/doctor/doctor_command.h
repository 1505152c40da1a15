// `wall-probe doctor`: this host against what a wall wants of it.
#pragma once

#include "probe/command.h"

namespace lw {

Command doctor_command(CLI::App& program);

}  // namespace lw
