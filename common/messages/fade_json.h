// The message with the fades that nodes keep to.
#pragma once

#include "common/messages/rpc.h"
#include "common/wire/fade.h"

#include <optional>

namespace lw {

// {"fades": [{"start_us": ..., "black_us": ..., "bright_us": ..., "end_us": ...}]}: media times since 1970.
Json to_json(const Fades& fades);

// Nothing if these are no fades, or one that would keep a wall dark for long.
std::optional<Fades> fades_of(const Json& json);

}  // namespace lw
