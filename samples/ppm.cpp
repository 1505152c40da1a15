#include "samples/ppm.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace lw::cosmos {
namespace {

bool is_numbered_picture(const std::filesystem::path& file) {
  const auto stem = file.stem().string();
  return file.extension() == ".ppm" && stem.size() >= 5 &&
         std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<PpmFolder> PpmFolder::open(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  auto entry = std::filesystem::directory_iterator(folder, error);
  const auto end = std::filesystem::directory_iterator();
  for (; !error && entry != end; entry.increment(error)) {
    const auto& file = entry->path();
    if (is_numbered_picture(file)) std::filesystem::remove(file, error);
    if (error) break;
  }
  if (error)
    return Error{fmt::format("cannot write into {}: {}", folder.string(), error.message()), "choose another --out"};
  return PpmFolder(folder);
}

Result<void> PpmFolder::write(int number, const Picture& picture) const {
  const auto file = folder_ / fmt::format("{:05}.ppm", number);
  std::ofstream out(file, std::ios::binary);
  out << "P6\n" << picture.width << " " << picture.height << "\n255\n";
  out.write(reinterpret_cast<const char*>(picture.pixels.data()), static_cast<std::streamsize>(picture.pixels.size()));
  out.close();
  if (!out) return Error{"cannot write " + file.string(), "free some space or choose another --out"};
  return {};
}

}  // namespace lw::cosmos
