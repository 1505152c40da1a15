// The settings of a wall file that must be equal on server and nodes, and their differences. A node with a different
// file would show nothing, or at the wrong time, for no apparent reason.
#pragma once

#include "common/wall/wall_file.h"

#include <string>
#include <string_view>

namespace lw {

// "columns=2;rows=2;...": for the control protocol (node.hello).
std::string shared_settings(const Wall& wall);

// As a text, "mtu is 1500 there and 9000 here, ..."; empty if they agree. Settings known to only one side are not
// compared, because that side has another version.
std::string settings_difference(std::string_view there, std::string_view here);

}  // namespace lw
