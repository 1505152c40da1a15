// `wall-probe doctor`: compares this host with the needs of a wall.
#pragma once

#include "probe/command.h"

namespace lw {

Command doctor_command(CLI::App& program);

}  // namespace lw
