// How many packets of a flow leave at once, with one system call.
#pragma once

#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"

namespace lw {

// As [streaming] burst_packets says. If that is "auto": what the flow sends in 50 us, and no fewer than 7 packets,
// since system calls cost more than their packets in shorter bursts. But if the wall file has the buffer of the
// switches, all flows of a node fit into it at the same time. Where packets lie in blocks (packet_layout = "slots"),
// which runs do not cross, a block is sent in equal bursts: as many as come nearest to these times.
unsigned burst_packets(const Wall& wall, const Band& band);

}  // namespace lw
