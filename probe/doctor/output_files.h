// The files that the wall file names for colour and projection of a node: whether the node can use them.
#pragma once

#include "common/wall/wall_file.h"
#include "probe/doctor/diagnosis.h"

#include <string>
#include <vector>

namespace lw {

// For each tile of these nodes that has such keys. `wall`: from a file on this host, beside which they lie.
std::vector<Complaint> examine_output_files(const Wall& wall, const std::vector<std::string>& nodes);

}  // namespace lw
