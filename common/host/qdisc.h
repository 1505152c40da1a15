// The queueing discipline of each interface (as `tc qdisc show`): fq and etf send a packet at the time that it carries.
#pragma once

#include <map>
#include <string>

namespace lw {

using InterfaceQdiscs = std::map<std::string, std::string>;  // interface -> "fq", "noqueue", ...

// Of a card with several queues (mq), that of its first. Empty where the kernel does not say.
InterfaceQdiscs interface_qdiscs();

}  // namespace lw
