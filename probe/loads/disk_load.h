// A disk load: whole frames read from a striped store as playback reads them, as fast as the disks give.
#pragma once

#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

namespace lw {

// Writes the frames to be read first, where they are not there from a run before.
Result<std::unique_ptr<LoadEnd>> make_disk_reader(const LoadSpec& load);

}  // namespace lw
