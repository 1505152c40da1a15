// A TCP load: connections of the kernel, with a pinned thread for each end of each. Like a bulk transfer, the clients
// of a file server or a message-passing program in addition to the wall's flows.
#pragma once

#include "probe/loads/load.h"
#include "probe/loads/load_end.h"

namespace lw {

Result<std::unique_ptr<LoadEnd>> make_tcp_sender(const LoadSpec& load, const EndAddresses& addresses);
Result<std::unique_ptr<LoadEnd>> make_tcp_receiver(const LoadSpec& load, const EndAddresses& addresses);

}  // namespace lw
