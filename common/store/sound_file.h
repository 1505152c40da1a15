// The sound of a store: a .npy file of shape (samples, channels) and dtype <i4 beside the frames, 48 kHz, with 24
// significant bits in the upper three bytes. Sample 0 belongs to the time of the first frame. docs/frame-store.md
// describes it.
#pragma once

#include "common/base/beneath.h"
#include "common/base/result.h"
#include "common/base/sound_time.h"
#include "common/base/units.h"
#include "common/store/manifest.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lw {

inline constexpr std::string_view sound_file_name = "audio.npy";  // as wall-ingest names it
// A sample of each channel.
constexpr std::size_t sound_frame_bytes(unsigned channels) { return sizeof(std::int32_t) * channels; }

// The sample with which a frame begins; of the number of frames, how many samples belong to them. Exact: rounded down.
constexpr std::int64_t sample_of_frame(std::int64_t frame, FrameRate rate) {
  return frame * sound_rate * rate.denominator / rate.numerator;
}

// Open, and checked.
struct SoundFile {
  std::filesystem::path path;
  Descriptor file;
  unsigned channels = 0;
  std::uint64_t samples = 0;  // of each channel
  std::size_t header_bytes = 0;
};
// An error if the file is missing, not such an array, or shorter than its header says.
Result<SoundFile> open_sound(const Beneath& folder, const SoundTrack& sound);

// Padded, so that its length does not depend on the number of samples.
std::string sound_header(unsigned channels, std::uint64_t samples);

}  // namespace lw
