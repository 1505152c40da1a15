// What the kernel grants a flow's socket, compared with what the flow needs.
#pragma once

#include "common/wall/geometry.h"
#include "common/wall/wall_file.h"

#include <cstddef>

namespace lw {

// Warns in the log if the receive buffer is smaller than the flow needs: it must hold what arrives while the flow's
// thread is off its core; otherwise scheduling causes losses.
void advise_receive_buffer(const Wall& wall, const Band& band, std::size_t granted);

}  // namespace lw
