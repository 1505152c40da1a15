// The name this host gives itself; empty where it has none.
#pragma once

#include <string>

namespace lw {

std::string host_name();

}  // namespace lw
