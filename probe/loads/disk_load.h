// A disk load: reads complete frames from a striped store, as playback does, as fast as the disks can.
#pragma once

#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

namespace lw {

// Writes the frames to be read first, where they are not there from a run before.
Result<std::unique_ptr<LoadEnd>> make_disk_reader(const LoadSpec& load);

}  // namespace lw
