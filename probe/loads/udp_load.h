// A UDP load: the wall's own FlowSender and FlowReceiver, with every byte placed in frame buffers and all metrics.
#pragma once

#include "common/wall/wall_file.h"
#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

#include <filesystem>

namespace lw {

// The wall that carries the load: a tile for each flow; for a visualization, one tile with as many bands.
Wall udp_wall(const LoadSpec& load, const EndAddresses& addresses);

Result<std::unique_ptr<LoadEnd>> make_udp_sender(const LoadSpec& load, const EndAddresses& addresses);
// `records`: the file for the arrivals of packets, if the load records them.
Result<std::unique_ptr<LoadEnd>> make_udp_receiver(const LoadSpec& load, const EndAddresses& addresses,
                                                   const std::filesystem::path& records);

}  // namespace lw
