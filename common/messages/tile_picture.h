// The message with a preview of what a tile shows, from a node to the operators: PNG in base64.
#pragma once

#include "common/messages/rpc.h"
#include "common/wall/wall_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lw {

inline constexpr unsigned tile_picture_side_max = 256;                          // pixels
inline constexpr std::size_t tile_picture_bytes_max = std::size_t{192} << 10U;  // of the PNG

// `frame`: of the visualization.
Json tile_picture_json(GridCell tile, std::optional<std::uint32_t> frame, std::string_view png);

// A copy with the known members only; empty if it is not an image, or would take its reader too much memory.
std::optional<Json> checked_tile_picture(const Json& picture);

}  // namespace lw
