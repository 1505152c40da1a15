// `wall-probe impair`: runs the relay from the command line.
#pragma once

#include "probe/command.h"

namespace lw {

Command impair_command(CLI::App& program);

}  // namespace lw
