// A UDP load: the wall's own FlowSender and FlowReceiver, every byte placed in frame buffers, every metric kept.
#pragma once

#include "common/wall/wall_file.h"
#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

#include <filesystem>

namespace lw {

// The wall that carries the load: a tile for each flow, or, where a visualization is sent, a tile in as many bands.
Wall udp_wall(const LoadSpec& load, const EndAddresses& addresses);

Result<std::unique_ptr<LoadEnd>> make_udp_sender(const LoadSpec& load, const EndAddresses& addresses);
// `records`: the file that packets' arrivals go to, if the load wants them.
Result<std::unique_ptr<LoadEnd>> make_udp_receiver(const LoadSpec& load, const EndAddresses& addresses,
                                                   const std::filesystem::path& records);

}  // namespace lw
