// Any bytes are a mesh whose places are numbers, through which an image can be shown, or an error.
#include "wall-client/display/output/output_stage.h"
#include "wall-client/display/output/warp_mesh.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto mesh = lw::parse_warp_mesh({reinterpret_cast<const char*>(data), size});
  if (!mesh) return 0;
  if (mesh->places.size() != std::size_t{mesh->columns} * mesh->rows) std::abort();
  for (const auto& place : mesh->places)
    if (place.shown() && !(std::abs(place.x) <= lw::WarpMesh::farthest && std::abs(place.y) <= lw::WarpMesh::farthest))
      std::abort();
  auto stage = lw::plain_stage({"t", {0, 0, 8, 4}, {0, 0}, true, lw::Turn::quarter}, {});
  stage.active = true;
  stage.warp = std::move(*mesh);
  const lw::Picture picture{8, 4, false, std::vector<std::byte>(96)};
  if (lw::panel_picture(stage, picture).pixels.size() != 96) std::abort();
  return 0;
}
