// Decoded frames, in order, of anything FFmpeg opens: a video file, one picture, a folder of pictures (natural order),
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

namespace lw {

class MediaSource {
public:
  // Opens nothing but what `input` names. With `follow_links`, pictures of a sequence may be links to other folders.
  static Result<std::unique_ptr<MediaSource>> open(const std::string& input, bool follow_links = false);
  virtual ~MediaSource() = default;

  // The next frame, nullptr at the end. Valid until the next call. A frame that cannot be decoded is an error.
  virtual Result<const AVFrame*> next() = 0;
  // Begins later; `rate` is that of pictures. Before the first next().
  virtual Result<void> start_at(double seconds, FrameRate rate) = 0;
  // Leaves out frames that were taken in before an interruption; cheap where the source allows it.
  virtual Result<void> skip(std::uint32_t frames);

  [[nodiscard]] virtual std::optional<FrameRate> frame_rate() const = 0;       // pictures have none
  [[nodiscard]] virtual AVRational time_base() const = 0;                      // of the frames' pts
  [[nodiscard]] virtual std::optional<std::uint32_t> frame_count() const = 0;  // as far as the source says
  [[nodiscard]] virtual bool endless() const { return false; }                 // must be given an end
  // Changes when the input does: names, sizes and times of its files.
  [[nodiscard]] virtual std::string fingerprint() const = 0;
};

// The name a visualization gets from its input unless told otherwise.
std::string default_name(const std::string& input);

}  // namespace lw
