#include "ingest/media_source.h"

extern "C" {
#include <libavdevice/avdevice.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <system_error>

#include "ingest/file_fingerprint.h"
#include "ingest/picture_files.h"
#include "ingest/picture_source.h"
#include "ingest/video_input.h"

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view test_source = "lavfi:";
// Deviations from a constant rate. A few frames that last longer do not make a variable rate, but their number no
// longer says how long the video is.
constexpr double constant_rate = 0.05;
constexpr double counts_by_time = 0.001;

class VideoSource final : public MediaSource {
public:
  // `url` and `format`: with which the input was opened.
  VideoSource(std::unique_ptr<VideoInput> input, std::string name, std::string url, const AVInputFormat* format,
              std::string fingerprint, bool endless = false)
      : input_(std::move(input)),
        name_(std::move(name)),
        url_(std::move(url)),
        format_(format),
        fingerprint_(std::move(fingerprint)),
        endless_(endless) {}

  Result<const AVFrame*> next() override { return input_->next(); }
  Result<void> start_at(double seconds, FrameRate /*rate*/) override {
    start_ = seconds;
    return input_->start_at(seconds);
  }
  [[nodiscard]] std::optional<FrameRate> frame_rate() const override {
    if (input_->rate_deviation() > constant_rate) return std::nullopt;
    const auto rate = input_->guessed_rate();
    if (rate.num < rate.den || rate.den <= 0 || rate.num / rate.den > 240) return std::nullopt;
    return FrameRate{rate.num, rate.den};
  }
  [[nodiscard]] bool has_times() const override { return true; }
  [[nodiscard]] std::optional<double> seconds() const override {
    if ((frame_rate() && input_->rate_deviation() < counts_by_time) || input_->duration() <= 0) return std::nullopt;
    return std::max(0.0, input_->duration() - start_);
  }
  [[nodiscard]] AVRational time_base() const override { return input_->stream().time_base; }
  [[nodiscard]] std::optional<std::uint32_t> frame_count() const override {
    const auto& stream = input_->stream();
    const auto rate = frame_rate();
    double frames = static_cast<double>(stream.nb_frames);
    if (frames <= 0 && rate) frames = input_->duration() * rate->hertz();
    if (frames <= 0) return std::nullopt;
    return static_cast<std::uint32_t>(std::max(0.0, frames - start_ * (rate ? rate->hertz() : 0) + 0.5));
  }
  [[nodiscard]] std::optional<std::uint64_t> frame_bytes() const override { return input_->frame_bytes(); }
  [[nodiscard]] unsigned sound_channels() const override { return input_->sound_channels(); }
  [[nodiscard]] Result<std::unique_ptr<SoundInput>> sound(double start) const override {
    std::error_code error;
    if (format_ == nullptr && fs::exists(url_, error) && !fs::is_regular_file(url_, error))
      return Error{name_ + " can be read only once", "copy or record it into a file first"};
    auto again = VideoInput::open(url_, format_, name_, {});
    if (!again) return again.error();
    if (start > 0)
      if (auto started = (*again)->start_at(start); !started) return started.error();
    const auto frame = (*again)->next();
    if (!frame) return frame.error();
    if (*frame == nullptr) return Error{name_ + " has no frames", "check it with ffprobe"};
    return SoundInput::open(url_, format_, name_, static_cast<double>((*frame)->pts) * av_q2d(time_base()));
  }
  [[nodiscard]] bool endless() const override { return endless_; }
  [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }

private:
  std::unique_ptr<VideoInput> input_;
  std::string name_;  // for errors
  std::string url_;
  const AVInputFormat* format_;
  std::string fingerprint_;
  bool endless_;
  double start_ = 0;
};

Result<std::unique_ptr<MediaSource>> open_pictures(Result<std::vector<fs::path>> files, bool follow_links,
                                                   const HostShare& share) {
  if (files && !follow_links) files = without_links(std::move(*files));
  if (!files) return files.error();
  return std::unique_ptr<MediaSource>(std::make_unique<PictureSource>(std::move(*files), share));
}

// FFmpeg does not say whether a test source ends; its description does.
bool has_end(const std::string& description) {
  for (const char* word : {"duration=", ":d=", "=d=", "trim", "movie"})
    if (description.find(word) != std::string::npos) return true;
  return false;
}

Result<std::unique_ptr<MediaSource>> open_test_source(const std::string& input, const HostShare& share) {
  avdevice_register_all();
  const auto description = input.substr(test_source.size());
  const auto* format = av_find_input_format("lavfi");
  auto video = VideoInput::open(description, format, input, share);
  if (!video) return video.error();
  return std::unique_ptr<MediaSource>(
      std::make_unique<VideoSource>(std::move(*video), input, description, format, input, !has_end(description)));
}

}  // namespace

Result<std::unique_ptr<SoundInput>> MediaSource::sound(double /*start*/) const {
  return Error{"the source has no sound", "use --no-sound"};
}

Result<void> MediaSource::skip(std::uint32_t frames) {
  for (std::uint32_t i = 0; i < frames; ++i) {
    const auto frame = next();
    if (!frame) return frame.error();
    if (*frame == nullptr) break;
  }
  return {};
}

Result<std::unique_ptr<MediaSource>> MediaSource::open(const std::string& input, bool follow_links,
                                                       const HostShare& share) {
  av_log_set_level(AV_LOG_QUIET);  // errors are reported in our own line
  if (input.starts_with(test_source)) return open_test_source(input, share);
  std::error_code error;
  if (fs::is_directory(input, error)) return open_pictures(pictures_in(input), follow_links, share);
  if (!fs::exists(input, error)) {
    if (input.find('%') != std::string::npos) return open_pictures(numbered_pictures(input), follow_links, share);
    if (input.find_first_of("*?[") != std::string::npos)
      return open_pictures(matching_pictures(input), follow_links, share);
    if (input.find("://") == std::string::npos) return Error{"no such file: " + input, "check the name"};
  }
  if (is_picture(input))
    return open_pictures(std::vector<fs::path>{input}, true, share);  // the user named the link itself
  auto video = VideoInput::open(input, nullptr, input, share);
  if (!video) return video.error();
  return std::unique_ptr<MediaSource>(
      std::make_unique<VideoSource>(std::move(*video), input, input, nullptr, file_fingerprint(input)));
}

std::string default_name(const std::string& input) {
  std::string stem;
  if (input.starts_with(test_source)) {
    const auto description = input.substr(test_source.size());
    stem = description.substr(0, description.find_first_of("=,"));
  } else {
    auto path = fs::path(input).lexically_normal();
    if (!path.has_filename() || path.filename().string().find_first_of("%*?[") != std::string::npos) {
      path = path.parent_path();  // a sequence is named after its folder
      stem = path.filename().string();
    } else {
      stem = path.stem().string();
    }
  }
  std::string name;
  for (const char c : stem)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.')
      name += c;
    else if (!name.empty() && name.back() != '-')
      name += '-';
  while (!name.empty() && (name.front() == '.' || name.front() == '-')) name.erase(0, 1);
  while (!name.empty() && (name.back() == '-' || name.back() == '.')) name.pop_back();
  return name.empty() ? "visualization" : name;
}

}  // namespace lw
