#include "probe/doctor/output_files.h"

#include "wall-client/display/output/output_stage.h"

#include <fmt/format.h>

namespace lw {

std::vector<Complaint> examine_output_files(const Wall& wall, const std::vector<std::string>& nodes) {
  std::vector<Complaint> complaints;
  for (const auto& name : nodes)
    for (const auto& placement : wall.find_node(name)->tiles) {
      if (!placement.output.active()) continue;
      auto& complaint = complaints.emplace_back();
      complaint.what = fmt::format("colour and projection of {}", wall.tile(placement.tile).in_words());
      complaint.needed = "files that the node can use";
      const auto stage = load_stage(wall, placement);
      complaint.level = stage ? Level::ok : Level::fail;
      complaint.have = stage ? text_of(*stage) : stage.error().what;
      if (!stage) complaint.mend = stage.error().mend;
    }
  return complaints;
}

}  // namespace lw
