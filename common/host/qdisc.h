// The queueing discipline of each interface (as in `tc qdisc show`): fq and etf send a packet at its departure time.
#pragma once

#include <map>
#include <string>

namespace lw {

using InterfaceQdiscs = std::map<std::string, std::string>;  // interface -> "fq", "noqueue", ...

// For a card with several queues (mq), the discipline of the first; "etf" if a class of the interface has it. Empty if
// the kernel does not report it.
InterfaceQdiscs interface_qdiscs();

}  // namespace lw
