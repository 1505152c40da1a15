// `wall-probe impair`: the relay on the command line.
#pragma once

#include "probe/command.h"

namespace lw {

Command impair_command(CLI::App& program);

}  // namespace lw
