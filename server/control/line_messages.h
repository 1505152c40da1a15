// A line and what follows it, as the coordinator announces them to the wall's other servers.
#pragma once

#include "common/messages/line_message.h"
#include "server/play/announced_line.h"

#include <cstdint>

namespace lw {

LineMessage to_message(const AnnouncedLine& announced, std::uint64_t epoch);
// Of a message that was read, so that its bounds hold.
AnnouncedLine from_message(const LineMessage& message);

}  // namespace lw
