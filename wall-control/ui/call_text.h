// The request that a button sends, written for use elsewhere: in a script, or another program.
#pragma once

#include "wall-control/link/control_link.h"

#include <QString>

#include <vector>

namespace lw {

// One line for each: wall-control --connect ADDRESS --call METHOD 'PARAMS', quoted for a shell.
QString as_command_line(const QString& address, const std::vector<ControlLink::Call>& calls);
// One JSON-RPC 2.0 request for each, as the control port accepts them.
QString as_json_rpc(const std::vector<ControlLink::Call>& calls);

}  // namespace lw
