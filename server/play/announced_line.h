// A line as the coordinator announces it to the wall's other servers, and its message.
#pragma once

#include "common/messages/line_message.h"
#include "server/play/line.h"

#include <cstdint>
#include <string>

namespace lw {

struct AnnouncedLine {
  std::uint64_t number = 1;  // grows with each line
  Line line;
  std::string name;    // of the visualization; empty if nothing plays
  std::string digest;  // of its frames: a server with other frames must not play them
};

LineMessage to_message(const AnnouncedLine& announced);
// Of a message that was read, so that its bounds hold.
AnnouncedLine from_message(const LineMessage& message);

}  // namespace lw
