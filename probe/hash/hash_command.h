// `wall-probe hash`: shows the link or queue of each flow where devices hash addresses and ports.
#pragma once

#include "probe/command.h"

namespace lw {

Command hash_command(CLI::App& program);

}  // namespace lw
