#include "server/control/import_places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <system_error>

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t looked_at_max = 2000;  // of the entries of a directory: it may be on a slow network share

bool is_among(const std::vector<fs::path>& directories, const fs::path& directory) {
  return std::ranges::find(directories, directory) != directories.end();
}

// An import begins a store in the first of the usual ones.
bool takes_stores(const ImportPlace& place, const fs::path& directory) {
  return is_among(place.content, directory) || (!place.out.empty() && place.out.front() == directory);
}

std::vector<fs::path> all_directories(const ImportPlace& place) {
  auto all = place.out;
  std::ranges::copy_if(place.content, std::back_inserter(all),
                       [&](const fs::path& directory) { return !is_among(place.out, directory); });
  return all;
}

std::string full_name(const fs::path& path) {
  std::error_code unknown;  // the current directory is gone, or the path is empty
  return fs::absolute(path, unknown).string();
}

ImportFolderMessage folder_of(const ImportPlace& place, const fs::path& directory) {
  ImportFolderMessage folder{
      full_name(directory), takes_stores(place, directory), is_among(place.out, directory), {}, {}};
  std::error_code error;
  if (const auto space = fs::space(directory, error); !error) {
    folder.free_bytes = space.available;
    folder.bytes = space.capacity;
  }
  return folder;
}

// Hidden files are half-written copies, or of no interest.
void add_inputs(const fs::path& directory, std::vector<std::string>& inputs) {
  std::error_code error;
  std::size_t looked_at = 0;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
    if (++looked_at > looked_at_max) return;
    const auto name = entry->path().filename().string();
    if (!name.starts_with('.') && (entry->is_regular_file(error) || entry->is_directory(error)))
      inputs.push_back(full_name(entry->path()));
  }
}

}  // namespace

ImportPlaces import_places(const ImportPlace& place) {
  ImportPlaces places{full_name(place.wall_file), {}, {}};
  for (const auto& directory : all_directories(place)) places.folders.push_back(folder_of(place, directory));
  for (const auto& directory : place.from) add_inputs(directory, places.inputs);
  std::ranges::sort(places.inputs);
  if (places.inputs.size() > ImportPlaces::inputs_max) places.inputs.resize(ImportPlaces::inputs_max);
  return places;
}

Result<std::vector<fs::path>> import_directories(const ImportPlace& place, const std::vector<std::string>& chosen) {
  if (chosen.empty()) return place.out;
  const auto all = all_directories(place);
  std::vector<fs::path> directories;
  for (const auto& wanted : chosen) {
    const auto found = std::ranges::find(all, wanted, full_name);
    if (found == all.end()) {
      std::vector<std::string> names;
      std::ranges::transform(all, std::back_inserter(names), full_name);
      return Error{wanted + " is not a directory of this server", fmt::format("choose of {}", fmt::join(names, ", "))};
    }
    if (is_among(directories, *found)) return Error{wanted + " is given more than once", "give it once"};
    directories.push_back(*found);
  }
  if (!takes_stores(place, directories.front()))
    return Error{chosen.front() + " is only for stripes", "begin with a directory of --content"};
  return directories;
}

}  // namespace lw
