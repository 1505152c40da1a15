// What a button asks the server for, written for elsewhere: a script, or another program.
#pragma once

#include "wall-control/link/control_link.h"

#include <QString>

#include <vector>

namespace lw {

// A line each: wall-control --connect ADDRESS --call METHOD 'PARAMS', quoted for a shell.
QString as_command_line(const QString& address, const std::vector<ControlLink::Call>& calls);
// A JSON-RPC 2.0 request each, as the control port takes them.
QString as_json_rpc(const std::vector<ControlLink::Call>& calls);

}  // namespace lw
