// Reads the images of a visualization from its folder. Control thread only.
#pragma once

#include "common/messages/library.h"
#include "common/messages/requests.h"
#include "server/play/library.h"

#include <string>
#include <string_view>

namespace lw {

struct LibraryImage {
  ImageType type = ImageType::jpeg;
  std::string bytes;
};

Result<LibraryImage> read_image(const Library& library, std::string_view name, ImageKind kind);

}  // namespace lw
