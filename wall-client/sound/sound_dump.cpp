#include "wall-client/sound/sound_dump.h"

#include "common/base/cannot_write.h"
#include "common/base/sound_time.h"
#include "common/base/write_all.h"
#include "common/store/sound_file.h"
#include "common/store/stripe_layout.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <system_error>

namespace lw {
namespace {

constexpr std::uint64_t rows_per_line = sound_rate / 10;

}  // namespace

Result<std::unique_ptr<SoundOutput>> SoundDump::open(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  std::unique_ptr<SoundDump> dump(new SoundDump(directory / "sound.npy"));
  constexpr const char* fix = "give --dump a directory that can be written";
  dump->samples_ = Descriptor(::open(dump->file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!dump->samples_) return cannot_write(dump->file_, fix);
  dump->times_.open(directory / "sound.ndjson");
  if (!dump->times_) return cannot_write(directory / "sound.ndjson", fix);
  return std::unique_ptr<SoundOutput>(std::move(dump));
}

SoundDump::~SoundDump() {
  if (channels_ > 0) write_header();
}

// Its length does not depend on the number of samples.
void SoundDump::write_header() {
  const auto header = sound_header(channels_, rows_);
  if (write_all(samples_.get(), std::as_bytes(std::span(header)), 0) != 0) failed_ = true;
}

void SoundDump::play(const PlayedSound& part) {
  if (failed_ || part.channels == 0) return;
  if (channels_ == 0) {
    channels_ = part.channels;
    write_header();
  }
  if (rows_ == 0 || part.first_sample != expected_ || rows_ >= noted_ + rows_per_line) note(part);
  const auto rows = part.samples.size() / part.channels;
  mapped_.assign(rows * channels_, 0);
  for (std::size_t row = 0; row < rows; ++row)
    for (unsigned channel = 0; channel < std::min(channels_, part.channels); ++channel)
      mapped_[row * channels_ + channel] = part.samples[row * part.channels + channel];
  const auto place = store_alignment + rows_ * sound_frame_bytes(channels_);
  if (write_all(samples_.get(), std::as_bytes(std::span(mapped_)), place) != 0 || !times_) {
    failed_ = true;
    spdlog::error("the dump of the sound is not complete: {}", cannot_write(file_).text());
  }
  rows_ += rows;
  expected_ = part.first_sample + static_cast<std::int64_t>(rows);
}

void SoundDump::note(const PlayedSound& part) {
  if (rows_ > 0) write_header();
  times_ << fmt::format("{{\"row\":{},\"sample\":{},\"pts_ns\":{},\"played_ns\":{}}}\n", rows_, part.first_sample,
                        part.pts.time_since_epoch().count(), part.played.time_since_epoch().count());
  times_.flush();
  noted_ = rows_;
}

}  // namespace lw
