#include "common/plan/receive_buffer_advice.h"

#include "common/plan/buffers.h"

#include <spdlog/spdlog.h>

namespace lw {

void advise_receive_buffer(const Wall& wall, const Band& band, std::size_t granted) {
  const auto wanted = client_receive_buffer(band_rate_max(wall, band));
  if (granted < wanted)
    spdlog::warn(
        "the kernel grants a receive buffer of {} KiB; {} KiB would be better: sudo sysctl -w net.core.rmem_max={}",
        granted >> 10U, wanted >> 10U, wanted);
}

}  // namespace lw
