// An event for operators: a change of the wall, with a text for people and a code for programs.
#pragma once

#include "common/messages/severity.h"
#include "common/wall/wall_file.h"

#include <optional>
#include <string>

namespace lw {

struct PlayEvent {
  Severity severity = Severity::info;
  std::string code;  // stable, kebab-case: "loaded", "ended", "read-failed", ...
  std::string text;
  std::optional<TileIndex> tile;
  std::optional<unsigned> flow;
};

}  // namespace lw
