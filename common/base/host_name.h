// The name of this host; empty if it has none.
#pragma once

#include <string>

namespace lw {

std::string host_name();

}  // namespace lw
