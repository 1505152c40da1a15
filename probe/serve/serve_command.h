// wall-probe serve: the other side of measurements, for clients on other hosts.
#pragma once

#include "probe/command.h"

namespace lw {

Command serve_command(CLI::App& program);

}  // namespace lw
