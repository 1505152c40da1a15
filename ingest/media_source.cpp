#include "ingest/media_source.h"

extern "C" {
#include <libavdevice/avdevice.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>
#include <thread>

namespace lw {
namespace {

namespace fs = std::filesystem;

constexpr const char* not_media = "give a video, a picture, a folder of pictures or lavfi:SOURCE; ffprobe INPUT shows what FFmpeg makes of it";

// Decodes the best video stream of one FFmpeg input.
class VideoInput {
public:
  static Result<std::unique_ptr<VideoInput>> open(const std::string& url, const AVInputFormat* format, const std::string& shown_name) {
    auto input = std::make_unique<VideoInput>();
    input->name_ = shown_name;
    AVFormatContext* raw = nullptr;
    if (const int error = avformat_open_input(&raw, url.c_str(), format, nullptr); error < 0)
      return Error{"cannot open " + shown_name + ": " + av::words(error), not_media};
    input->format_.reset(raw);
    // FFmpeg would draw any text file as a terminal's screen; nobody means that.
    if (std::string_view(raw->iformat->name) == "tty") return Error{shown_name + " is a text file, not a video or picture", not_media};
    if (const int error = avformat_find_stream_info(raw, nullptr); error < 0) return Error{"cannot read " + shown_name + ": " + av::words(error), not_media};
    const AVCodec* codec = nullptr;
    input->stream_ = av_find_best_stream(raw, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (input->stream_ < 0 || codec == nullptr) return Error{shown_name + " has no video that FFmpeg can decode", not_media};
    input->codec_.reset(avcodec_alloc_context3(codec));
    AVCodecContext& context = *input->codec_;
    avcodec_parameters_to_context(&context, input->stream().codecpar);
    if (context.width <= 0 || context.height <= 0) return Error{shown_name + " holds no picture that FFmpeg can decode", not_media};
    context.thread_count = static_cast<int>(std::thread::hardware_concurrency());
    context.pkt_timebase = input->stream().time_base;
    if (const int error = avcodec_open2(&context, codec, nullptr); error < 0) return Error{"cannot decode " + shown_name + ": " + av::words(error), not_media};
    return input;
  }

  Result<const AVFrame*> next() {
    for (;;) {
      const int error = avcodec_receive_frame(codec_.get(), frame_.get());
      if (error == AVERROR_EOF) return av::no_frame;
      if (error == 0) {
        frame_->pts = frame_->best_effort_timestamp;
        if (frame_->decode_error_flags != 0) return Error{fmt::format("{}: frame {} is damaged", name_, decoded_), "repair or re-encode the file"};
        ++decoded_;
        return frame_.get();
      }
      if (error != AVERROR(EAGAIN)) return Error{fmt::format("{}: frame {} cannot be decoded: {}", name_, decoded_, av::words(error)), "repair or re-encode the file"};
      if (auto fed = feed(); !fed) return fed.error();
    }
  }

  [[nodiscard]] const AVStream& stream() const { return *format_->streams[stream_]; }

private:
  Result<void> feed() {
    for (;;) {
      const int read = av_read_frame(format_.get(), packet_.get());
      if (read == AVERROR_EOF) {
        avcodec_send_packet(codec_.get(), nullptr);
        return {};
      }
      if (read < 0) return Error{name_ + " cannot be read on: " + av::words(read), "check the disk, then run the command again"};
      const bool ours = packet_->stream_index == stream_;
      const int sent = ours ? avcodec_send_packet(codec_.get(), packet_.get()) : 0;
      av_packet_unref(packet_.get());
      if (sent < 0) return Error{fmt::format("{}: frame {} cannot be decoded: {}", name_, decoded_, av::words(sent)), "repair or re-encode the file"};
      if (ours) return {};
    }
  }

  std::string name_;
  av::Format format_;
  av::Codec codec_;
  av::Frame frame_{av_frame_alloc()};
  av::Packet packet_{av_packet_alloc()};
  int stream_ = -1;
  std::uint64_t decoded_ = 0;
};

std::string file_fingerprint(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return fmt::format("{}:{}:{}", file.string(), size, time);
}

class VideoSource final : public MediaSource {
public:
  VideoSource(std::unique_ptr<VideoInput> input, std::string fingerprint) : input_(std::move(input)), fingerprint_(std::move(fingerprint)) {}

  Result<const AVFrame*> next() override { return input_->next(); }
  [[nodiscard]] std::optional<FrameRate> frame_rate() const override {
    const auto& stream = input_->stream();
    const auto usable = [](AVRational rate) { return rate.num > 0 && rate.den > 0 && rate.num >= rate.den && rate.num / rate.den <= 240; };
    const auto rate = usable(stream.avg_frame_rate) ? stream.avg_frame_rate : stream.r_frame_rate;
    if (!usable(rate)) return std::nullopt;
    return FrameRate{rate.num, rate.den};
  }
  [[nodiscard]] AVRational time_base() const override { return input_->stream().time_base; }
  [[nodiscard]] std::optional<std::uint32_t> frame_count() const override {
    const auto& stream = input_->stream();
    if (stream.nb_frames > 0) return static_cast<std::uint32_t>(stream.nb_frames);
    const auto rate = frame_rate();
    if (stream.duration <= 0 || !rate) return std::nullopt;
    return static_cast<std::uint32_t>(static_cast<double>(stream.duration) * av_q2d(stream.time_base) * rate->hertz() + 0.5);
  }
  [[nodiscard]] std::string fingerprint() const override { return fingerprint_; }

private:
  std::unique_ptr<VideoInput> input_;
  std::string fingerprint_;
};

// "frame9" before "frame10".
bool natural_less(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto end_a = std::find_if_not(a.begin() + static_cast<std::ptrdiff_t>(i), a.end(), digit) - a.begin();
      const auto end_b = std::find_if_not(b.begin() + static_cast<std::ptrdiff_t>(j), b.end(), digit) - b.begin();
      auto x = a.substr(i, static_cast<std::size_t>(end_a) - i);
      auto y = b.substr(j, static_cast<std::size_t>(end_b) - j);
      x.erase(0, std::min(x.find_first_not_of('0'), x.size()));
      y.erase(0, std::min(y.find_first_not_of('0'), y.size()));
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = static_cast<std::size_t>(end_a);
      j = static_cast<std::size_t>(end_b);
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

// Each picture is an input of its own, so that a sequence may mix sizes of headers, profiles and even file types.
class PictureSource final : public MediaSource {
public:
  explicit PictureSource(std::vector<fs::path> files) : files_(std::move(files)) {}

  Result<const AVFrame*> next() override {
    if (index_ == files_.size()) return av::no_frame;
    const auto& file = files_[index_];
    auto input = VideoInput::open(file.string(), nullptr, file.string());
    if (!input) return input.error();
    current_ = std::move(*input);
    auto frame = current_->next();
    if (!frame) return frame;
    if (*frame == nullptr) return Error{file.string() + " holds no picture", "remove it from the sequence"};
    const_cast<AVFrame*>(*frame)->pts = static_cast<std::int64_t>(index_++);
    return frame;
  }
  Result<void> skip(std::uint32_t frames) override {
    index_ = std::min<std::size_t>(index_ + frames, files_.size());
    return {};
  }
  [[nodiscard]] std::optional<FrameRate> frame_rate() const override { return std::nullopt; }
  [[nodiscard]] AVRational time_base() const override { return {1, 1}; }
  [[nodiscard]] std::optional<std::uint32_t> frame_count() const override { return static_cast<std::uint32_t>(files_.size()); }
  [[nodiscard]] std::string fingerprint() const override {
    std::string text;
    for (const auto& file : files_) text += file_fingerprint(file) + "\n";
    return text;
  }

private:
  std::vector<fs::path> files_;
  std::size_t index_ = 0;
  std::unique_ptr<VideoInput> current_;
};

bool is_picture(const fs::path& file) {
  static constexpr std::array<std::string_view, 13> extensions{".png", ".jpg", ".jpeg", ".tif", ".tiff", ".exr", ".dpx", ".ppm", ".pgm", ".bmp", ".tga", ".webp", ".hdr"};
  auto extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::find(extensions, extension) != extensions.end();
}

Result<std::vector<fs::path>> pictures_in(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.is_regular_file(error) && is_picture(entry.path())) files.push_back(entry.path());
  if (error) return Error{"cannot read the folder " + folder.string() + ": " + error.message(), "check its permissions"};
  if (files.empty()) return Error{"the folder " + folder.string() + " has no pictures", "give one with PNG, JPEG, TIFF, EXR, DPX or PPM files"};
  std::ranges::sort(files, [](const fs::path& a, const fs::path& b) { return natural_less(a.filename().string(), b.filename().string()); });
  return files;
}

// "shot-%05d.png": the files from the first number below 10,000 that exists, without a gap.
Result<std::vector<fs::path>> numbered_pictures(const std::string& pattern) {
  std::vector<fs::path> files;
  std::array<char, 4096> name{};
  for (int number = 0; number < 10'000'000; ++number) {
    if (av_get_frame_filename(name.data(), name.size(), pattern.c_str(), number) < 0) return Error{"'" + pattern + "' is no numbered pattern", "write one like shot-%05d.png"};
    if (fs::exists(name.data())) files.emplace_back(name.data());
    else if (!files.empty() || number > 10'000) break;
  }
  if (files.empty()) return Error{"no file matches " + pattern, "check the folder and the number of digits"};
  return files;
}

}  // namespace

Result<void> MediaSource::skip(std::uint32_t frames) {
  for (std::uint32_t i = 0; i < frames; ++i) {
    const auto frame = next();
    if (!frame) return frame.error();
    if (*frame == nullptr) break;
  }
  return {};
}

Result<std::unique_ptr<MediaSource>> MediaSource::open(const std::string& input) {
  av_log_set_level(AV_LOG_QUIET);  // what goes wrong is said in our one line
  std::error_code error;
  const auto pictures = [](Result<std::vector<fs::path>> files) -> Result<std::unique_ptr<MediaSource>> {
    if (!files) return files.error();
    return std::unique_ptr<MediaSource>(std::make_unique<PictureSource>(std::move(*files)));
  };
  if (fs::is_directory(input, error)) return pictures(pictures_in(input));
  constexpr std::string_view test_source = "lavfi:";
  if (input.starts_with(test_source)) {
    avdevice_register_all();
    auto video = VideoInput::open(input.substr(test_source.size()), av_find_input_format("lavfi"), input);
    if (!video) return video.error();
    return std::unique_ptr<MediaSource>(std::make_unique<VideoSource>(std::move(*video), input));
  }
  if (!fs::exists(input, error) && input.find('%') != std::string::npos) return pictures(numbered_pictures(input));
  if (!fs::exists(input, error) && input.find("://") == std::string::npos) return Error{"there is no file " + input, "check the name"};
  if (is_picture(input)) return pictures(std::vector<fs::path>{input});
  auto video = VideoInput::open(input, nullptr, input);
  if (!video) return video.error();
  return std::unique_ptr<MediaSource>(std::make_unique<VideoSource>(std::move(*video), file_fingerprint(input)));
}

}  // namespace lw
