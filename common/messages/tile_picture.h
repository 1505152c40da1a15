// A preview of what a tile shows: `node.picture`, from a node to its server, and `picture`, from server to operators.
#pragma once

#include "common/messages/rules.h"
#include "common/wall/wall_file.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lw {

inline constexpr unsigned tile_picture_side_max = 256;                          // pixels
inline constexpr std::size_t tile_picture_bytes_max = std::size_t{192} << 10U;  // of the PNG

enum class TilePictureType : std::uint8_t { png };

struct TilePictureMessage {
  GridCell tile;
  TilePictureType type = TilePictureType::png;
  std::string base64;
  std::optional<std::uint32_t> frame;  // of the visualization

  static constexpr bool closed = false;
  static void members(auto& picture, auto& visit) {
    visit("tile", picture.tile);
    visit("mime", picture.type, Names{"image/png"});
    visit("base64", picture.base64, Text{(tile_picture_bytes_max + 2) / 3 * 4});
    visit("frame", picture.frame, Tolerated{});
  }
  // Decodes only the header: a larger image would take too much memory of its reader.
  [[nodiscard]] std::optional<std::string> problem() const;
  bool operator==(const TilePictureMessage&) const = default;
};

TilePictureMessage tile_picture(GridCell tile, std::optional<std::uint32_t> frame, std::string_view png);

}  // namespace lw
