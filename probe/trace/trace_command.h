// `wall-probe trace`: the life of every frame through all stages and hosts, as a trace that Perfetto opens.
#pragma once

#include "probe/command.h"

namespace lw {

Command trace_command(CLI::App& program);

}  // namespace lw
