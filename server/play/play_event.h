// An event for operators: a change of the wall, with a text for people and a code for programs.
#pragma once

#include "common/wall/wall_file.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lw {

enum class Severity : std::uint8_t { info, warning, error };

struct PlayEvent {
  Severity severity = Severity::info;
  std::string code;  // stable, kebab-case: "loaded", "ended", "read-failed", ...
  std::string text;
  std::optional<TileId> tile;
  std::optional<unsigned> flow;
};

}  // namespace lw
