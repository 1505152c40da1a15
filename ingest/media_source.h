// Decodes frames, in order, from anything FFmpeg opens: a video file, an image, a folder of images (natural order),
// a numbered pattern (shot-%05d.png), a shell pattern (shot-*.png), or a test source (lavfi:testsrc2=size=640x360).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/result.h"
#include "common/base/units.h"
#include "ingest/av.h"
#include "ingest/host_share.h"
#include "ingest/sound_input.h"

namespace lw {

class MediaSource {
public:
  // Opens nothing but what `input` names. With `follow_links`, images of a sequence may be links to other folders.
  // `share` does not change the frames.
  static Result<std::unique_ptr<MediaSource>> open(const std::string& input, bool follow_links = false,
                                                   const HostShare& share = {});
  virtual ~MediaSource() = default;

  // The next frame, nullptr at the end. Valid until the next call. A frame that cannot be decoded is an error.
  virtual Result<const AVFrame*> next() = 0;
  // Skips to a later start; `rate` is the rate of images. Call before the first next().
  virtual Result<void> start_at(double seconds, FrameRate rate) = 0;
  // Skips frames that were imported before an interruption; cheap if the source allows it.
  virtual Result<void> skip(std::uint32_t frames);

  // Images have none, nor has a video that does not say one.
  [[nodiscard]] virtual std::optional<FrameRate> frame_rate() const = 0;
  // Whether frames follow each other as their times say, not at a constant rate: a video's, whatever it states.
  [[nodiscard]] virtual bool has_times() const { return false; }
  [[nodiscard]] virtual AVRational time_base() const = 0;                      // of the frames' pts
  [[nodiscard]] virtual std::optional<std::uint32_t> frame_count() const = 0;  // if the source states it
  // How long those take, if the source states it and their number does not say it.
  [[nodiscard]] virtual std::optional<double> seconds() const { return std::nullopt; }
  [[nodiscard]] virtual std::optional<std::uint64_t> frame_bytes() const { return std::nullopt; }  // if it states it
  [[nodiscard]] virtual unsigned sound_channels() const { return 0; }  // that a store can keep; 0: it has no sound
  // Its sound, from the time of the first frame after `start` seconds on. Opens the input once more. Call it only if
  // there is sound.
  [[nodiscard]] virtual Result<std::unique_ptr<SoundInput>> sound(double start) const;
  [[nodiscard]] virtual bool endless() const { return false; }  // needs a limit
  // Any thread: next() no longer waits for images that are still to come.
  virtual void cancel() {}
  // Changes when the input does: names, sizes and times of its files.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
};

// The default name of a visualization, from its input.
std::string default_name(const std::string& input);

}  // namespace lw
