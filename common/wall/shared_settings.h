// The settings of a wall file that server and nodes must have alike, and what a difference is. A node with another file
// shows nothing, or at the wrong time, and nobody would know why.
#pragma once

#include "common/wall/wall_file.h"

#include <string>
#include <string_view>

namespace lw {

// "columns=2;rows=2;...": for the control protocol (node.hello).
std::string shared_settings(const Wall& wall);

// In words, "mtu is 1500 there and 9000 here, ..."; empty where they agree. Settings that only one side knows are not
// compared: it is of another version.
std::string settings_difference(std::string_view there, std::string_view here);

}  // namespace lw
