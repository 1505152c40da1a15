// `wall-probe report`: the results of a sweep as a page with plots.
#pragma once

#include "probe/command.h"

namespace lw {

Command report_command(CLI::App& program);

}  // namespace lw
