#include "server/control/library_image.h"

#include <utility>

namespace lw {

Result<LibraryImage> read_image(const Library& library, std::string_view name, ImageKind kind) {
  const bool poster = kind == ImageKind::poster;
  const std::string what = poster ? "poster" : "thumbnails";
  const auto* entry = library.find(name);
  if (entry == nullptr) return library.no_such(name);
  const auto& file_name = poster ? entry->manifest.poster : entry->manifest.thumbnails;
  const auto folder = Library::open_folder(entry->folder);
  if (!folder) return folder.error();
  const Beneath files{folder->get(), entry->folder, "give it one smaller than 700 KiB, or ingest it again"};
  if (file_name.empty() || !files.has(file_name))
    return Error{entry->manifest.name + " has no " + what, "ingest it again to have one"};
  auto bytes = files.read(file_name, ImageReply::image_bytes_max);
  if (!bytes) return Error(bytes.error()).in("the " + what + " of " + entry->manifest.name);
  return LibraryImage{file_name.ends_with(".png") ? ImageType::png : ImageType::jpeg, std::move(*bytes)};
}

}  // namespace lw
