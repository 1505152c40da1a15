// A TCP load: connections of the kernel's, a pinned thread for each end of each. What a bulk transfer, a file server's
// clients or a message-passing program would do beside the wall's flows.
#pragma once

#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

namespace lw {

Result<std::unique_ptr<LoadEnd>> make_tcp_sender(const LoadSpec& load, const EndAddresses& addresses);
Result<std::unique_ptr<LoadEnd>> make_tcp_receiver(const LoadSpec& load, const EndAddresses& addresses);

}  // namespace lw
