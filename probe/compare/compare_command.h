// `wall-probe compare`: whether two sets of results differ.
#pragma once

#include "probe/command.h"

namespace lw {

Command compare_command(CLI::App& program);

}  // namespace lw
