#include "server/read/sound_reader.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace lw {
namespace {

off_t place_of(const SoundFile& sound, std::int64_t sample) {
  return static_cast<off_t>(sound.header_bytes +
                            static_cast<std::uint64_t>(sample) * sound_frame_bytes(sound.channels));
}

// The kernel reads on its own; a refusal only makes a later read slower.
void ask_for(const SoundFile& sound, std::int64_t sample) {
  const auto bytes = static_cast<off_t>(sound_rate * static_cast<std::int64_t>(sound_frame_bytes(sound.channels)));
  [[maybe_unused]] const int refused =
      ::posix_fadvise(sound.file.get(), place_of(sound, sample), bytes, POSIX_FADV_WILLNEED);
}

}  // namespace

void SoundReader::use(std::shared_ptr<const OpenStore> store) {
  store_ = std::move(store);
  block_count_ = 0;
  block_.resize(static_cast<std::size_t>(block_samples) * channels());
}

void SoundReader::prepare(const OpenStore& store, std::int64_t sample) {
  if (const auto* sound = store.sound(); sound != nullptr) ask_for(*sound, std::max<std::int64_t>(sample, 0));
}

// Samples [first, first + block_samples), as far as there are any.
void SoundReader::load(std::int64_t first) {
  const auto* sound = this->sound();
  const auto there = std::clamp<std::int64_t>(static_cast<std::int64_t>(sound->samples) - first, 0, block_samples);
  block_first_ = first;
  block_count_ = 0;
  if (there == 0) return;
  const auto bytes = static_cast<std::size_t>(there) * sound_frame_bytes(sound->channels);
  const auto got = ::pread(sound->file.get(), block_.data(), bytes, place_of(*sound, first));
  if (got == static_cast<ssize_t>(bytes)) {
    block_count_ = there;
    ask_for(*sound, first + there);
    return;
  }
  // Plays silence for as long, instead of asking a broken disk for every packet.
  ++failures_;
  std::ranges::fill(block_, 0);
  block_count_ = there;
}

void SoundReader::read(std::int64_t first, std::span<std::int32_t> out) {
  const auto* sound = this->sound();
  std::ranges::fill(out, 0);
  if (sound == nullptr) return;
  const auto channels = static_cast<std::int64_t>(sound->channels);
  const auto end =
      std::min(first + static_cast<std::int64_t>(out.size()) / channels, static_cast<std::int64_t>(sound->samples));
  for (auto at = std::max<std::int64_t>(first, 0); at < end;) {
    if (at < block_first_ || at >= block_first_ + block_count_) load(at);
    const auto until = std::min(end, block_first_ + block_count_);
    std::ranges::copy(std::span(block_).subspan(static_cast<std::size_t>((at - block_first_) * channels),
                                                static_cast<std::size_t>((until - at) * channels)),
                      out.begin() + (at - first) * channels);
    at = until;
  }
}

}  // namespace lw
