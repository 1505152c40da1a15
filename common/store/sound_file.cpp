#include "common/store/sound_file.h"

#include "common/store/npy_header.h"
#include "common/store/stripe_layout.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <span>

namespace lw {

Result<SoundFile> open_sound(const Beneath& folder, const SoundTrack& sound) {
  constexpr const char* fix = "ingest the visualization again, or correct the file (docs/frame-store.md)";
  const auto path = folder.shown / sound.file;
  auto file = folder.open_file(sound.file);
  if (!file) return file.error();
  std::array<std::byte, store_alignment> head{};
  struct stat status {};
  const auto got = ::pread(file->get(), head.data(), head.size(), 0);
  if (got < 0 || ::fstat(file->get(), &status) != 0)
    return Error{"cannot read " + path.string(), "check that its disk is mounted and readable"};
  const auto npy = parse_npy_array(std::span(head.data(), static_cast<std::size_t>(got)));
  if (!npy) return Error(npy.error()).in(path.string());
  if (npy->descr != "<i4" || npy->shape.size() != 2 || npy->shape[1] != sound.channels)
    return Error{
        fmt::format("{}: expected 32-bit little-endian integers of shape (samples, {})", path.string(), sound.channels),
        fix};
  const auto needed = npy->header_bytes + npy->shape[0] * sound_frame_bytes(sound.channels);
  if (static_cast<std::uint64_t>(status.st_size) < needed)
    return Error{fmt::format("{} ends after {} of {} bytes", path.string(), status.st_size, needed), fix};
  return SoundFile{path, std::move(*file), sound.channels, npy->shape[0], npy->header_bytes};
}

std::string sound_header(unsigned channels, std::uint64_t samples) {
  return npy_array_header("<i4", {samples, channels}, store_alignment);
}

}  // namespace lw
