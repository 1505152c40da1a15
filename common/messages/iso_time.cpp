#include "common/messages/iso_time.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace lw {

std::string to_iso8601(WallTime time) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(ms / 1000)), ms % 1000);
}

}  // namespace lw
