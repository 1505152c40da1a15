#include "ingest/sound_output.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <span>

#include "common/base/cannot_write.h"
#include "common/base/descriptor.h"
#include "common/base/write_all.h"
#include "common/store/checksum.h"
#include "common/store/sound_file.h"

namespace lw {
namespace {

static_assert(std::endian::native == std::endian::little);  // as samples lie in the file

// The same file in each folder.
class SoundOutput {
public:
  explicit SoundOutput(const std::vector<std::filesystem::path>& folders) {
    for (const auto& folder : folders) files_.push_back({folder / sound_file_name, {}});
  }

  Result<void> open() {
    for (auto& [path, file] : files_) {
      file = Descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
      if (!file) return cannot_write(path, "check the directory's permissions");
    }
    return {};
  }
  Result<void> write(std::span<const std::byte> bytes) {
    for (const auto& [path, file] : files_)
      if (const int error = write_all(file.get(), bytes); error != 0) {
        errno = error;
        return cannot_write(path, "free some space, or import without sound (--no-sound)");
      }
    return {};
  }

private:
  struct File {
    std::filesystem::path path;
    Descriptor file;
  };
  std::vector<File> files_;
};

}  // namespace

Result<std::optional<SoundTrack>> write_sound(SoundInput& source, std::uint64_t samples,
                                              const std::vector<std::filesystem::path>& folders,
                                              const std::atomic<bool>& stop) {
  using Written = Result<std::optional<SoundTrack>>;
  const auto channels = source.channels();
  SoundOutput output(folders);
  if (auto opened = output.open(); !opened) return opened.error();
  const auto header = sound_header(channels, samples);
  if (auto written = output.write(std::as_bytes(std::span(header))); !written) return written.error();
  const std::vector<std::int32_t> silence(static_cast<std::size_t>(sound_rate) * channels);
  RunningChecksum sum;
  for (auto left = samples * channels; left > 0;) {
    if (stop) return Written(boost::system::in_place_value, std::nullopt);
    const auto next = source.next();
    if (!next) return next.error();
    const std::span<const std::int32_t> given = next->empty() ? std::span(silence) : *next;
    const auto bytes = std::as_bytes(given.first(std::min<std::size_t>(given.size(), left)));
    sum.add(bytes);
    if (auto written = output.write(bytes); !written) return written.error();
    left -= bytes.size() / sizeof(std::int32_t);
  }
  return Written(boost::system::in_place_value,
                 SoundTrack{std::string(sound_file_name), channels, fmt::format("{:016x}", sum.value())});
}

}  // namespace lw
