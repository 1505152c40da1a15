// The requests of an operator for a tile or all tiles: the calls, in one place for buttons, menus and their copies.
#pragma once

#include "wall-control/link/control_link.h"

#include <optional>
#include <utility>

namespace lw {

using Place = std::optional<std::pair<int, int>>;  // column and row; empty: all tiles

void ask_to_identify(ControlLink& link, const Place& place, bool on);
void ask_to_mark(ControlLink& link, const Place& place, bool on);
// "none" shows the stream.
void ask_for_pattern(ControlLink& link, const Place& place, const QString& pattern);

}  // namespace lw
