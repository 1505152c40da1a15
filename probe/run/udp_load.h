// A UDP load: the wall's own FlowSender and FlowReceiver, every byte placed in frame buffers, every metric kept.
#pragma once

#include "probe/run/load.h"
#include "probe/run/load_end.h"

#include <filesystem>

namespace lw {

Result<std::unique_ptr<LoadEnd>> make_udp_sender(const LoadSpec& load, const EndAddresses& addresses);
// `records`: the file that packets' arrivals go to, if the load wants them.
Result<std::unique_ptr<LoadEnd>> make_udp_receiver(const LoadSpec& load, const EndAddresses& addresses,
                                                   const std::filesystem::path& records);

}  // namespace lw
