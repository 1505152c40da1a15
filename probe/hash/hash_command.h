// `wall-probe hash`: on which link or queue each flow falls where addresses and ports are hashed.
#pragma once

#include "probe/command.h"

namespace lw {

Command hash_command(CLI::App& program);

}  // namespace lw
