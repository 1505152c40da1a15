// `wall-probe analyze`: analyzes the RTP streams of a capture offline.
#pragma once

#include "probe/command.h"

namespace lw {

Command analyze_command(CLI::App& program);

}  // namespace lw
