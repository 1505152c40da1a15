#include "common/store/growing.h"

#include "common/base/whole_number.h"
#include "common/store/checksum.h"
#include "common/store/store_digest.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/endian/conversion.hpp>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

namespace lw {
namespace {

constexpr std::string_view folder_begin = ".", folder_end = ".partial";
constexpr char digest_mark = '+';  // in no digest of a complete store
constexpr std::size_t hex_digits = 16;
constexpr std::size_t frames_at_once = 4096;

}  // namespace

std::string growing_folder_name(std::string_view name) { return fmt::format("{}{}{}", folder_begin, name, folder_end); }

std::string name_of_growing(std::string_view folder) {
  if (folder.size() <= folder_begin.size() + folder_end.size() || !folder.starts_with(folder_begin) ||
      !folder.ends_with(folder_end))
    return {};
  folder.remove_prefix(folder_begin.size());
  folder.remove_suffix(folder_end.size());
  return std::string(folder);
}

Result<Manifest> load_growing(const Beneath& folder) {
  const auto file = folder.open_file(growing_file_name);
  if (!file) return file.error();
  auto manifest = load_manifest(file->get(), folder.shown / growing_file_name);
  if (!manifest) return manifest.error();
  if (manifest->checksums != growing_checksums_name || manifest->audio)
    return Error{fmt::format("{}: a store that grows has the checksums '{}' and no sound yet",
                             (folder.shown / growing_file_name).string(), growing_checksums_name),
                 "write it again (docs/frame-store.md)"};
  manifest->growing = true;
  manifest->name = name_of_growing(folder.shown.filename().string());
  return manifest;
}

GrowingEditions::GrowingEditions(const Manifest& manifest) : tiles_(manifest.geometry.tile_count()) {
  const auto text = fmt::format("{}, {}", layout_text(manifest), to_text(manifest.colour));
  after_.push_back(checksum(std::as_bytes(std::span(text))));
}

void GrowingEditions::add(std::span<const std::uint64_t> checksums) {
  assert(checksums.size() % tiles_ == 0);
  std::vector<std::uint64_t> frame(tiles_ + 1);
  for (; !checksums.empty(); checksums = checksums.subspan(tiles_)) {
    frame[0] = boost::endian::native_to_little(after_.back());
    for (unsigned tile = 0; tile < tiles_; ++tile) frame[tile + 1] = boost::endian::native_to_little(checksums[tile]);
    after_.push_back(checksum(std::as_bytes(std::span(frame))));
  }
}

Result<void> GrowingEditions::read(const Beneath& folder, std::uint32_t frames) {
  if (frames <= this->frames()) return {};
  const auto shown = (folder.shown / growing_checksums_name).string();
  const auto file = folder.open_file(growing_checksums_name);
  if (!file) return file.error();
  std::vector<std::uint64_t> values;
  while (this->frames() < frames) {
    values.resize(std::min<std::size_t>(frames_at_once, frames - this->frames()) * tiles_);
    const auto bytes = values.size() * sizeof(values[0]);
    const auto from = std::uint64_t{this->frames()} * tiles_ * sizeof(values[0]);
    const auto got = ::pread(file->get(), values.data(), bytes, static_cast<off_t>(from));
    if (got != static_cast<ssize_t>(bytes))
      return Error{got < 0 ? fmt::format("cannot read {}: {}", shown, std::generic_category().message(errno))
                           : fmt::format("{} has fewer numbers than {} frames need", shown, frames),
                   "run the import again, which continues it"};
    for (auto& value : values) value = boost::endian::little_to_native(value);
    add(values);
  }
  return {};
}

std::string GrowingEditions::digest(std::uint32_t frames) const {
  assert(frames <= this->frames());
  return fmt::format("{}{}{:016x}", frames, digest_mark, after_[frames]);
}

std::optional<std::uint32_t> GrowingEditions::frames_of(std::string_view digest) {
  const auto mark = digest.find(digest_mark);
  if (mark == std::string_view::npos || digest.size() - mark - 1 != hex_digits) return std::nullopt;
  const auto number = whole_number<std::uint32_t>(digest.substr(0, mark));
  return number && *number <= std::numeric_limits<std::int32_t>::max() ? number : std::nullopt;
}

std::optional<bool> GrowingEditions::begins_with(std::string_view digest) const {
  const auto frames = frames_of(digest);
  if (!frames) return false;
  if (*frames > this->frames()) return std::nullopt;
  return this->digest(*frames) == digest;
}

}  // namespace lw
