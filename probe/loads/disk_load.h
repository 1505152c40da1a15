// A disk load: reads complete frames from a striped store, as playback does, as fast as the disks can.
#pragma once

#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

namespace lw {

// Writes the frames to be read first, unless an earlier run has left them.
Result<std::unique_ptr<LoadEnd>> make_disk_reader(const LoadSpec& load);

}  // namespace lw
